/** Repeats changes of one tab in the other tabs of the browser: likes, favorites, and notifications marked as read. */
import type { QueryClient } from '@tanstack/react-query';
import { changeUnreadCount, readNotificationsKey } from './auth/queries.ts';
import { createReactionPatch, patchCachedPhoto, type ReactionChange, reactionKey } from './photos/queries.ts';

type Change = { reaction: ReactionChange } | { areNotificationsRead: true };

export function shareChangesWithTabs(client: QueryClient): void {
  if (!('BroadcastChannel' in window)) return;
  const channel = new BroadcastChannel('lightwell-changes');
  const share = (change: Change) => channel.postMessage(change);
  client.getMutationCache().subscribe(({ type, mutation }) => {
    if (type !== 'updated' || mutation.state.status !== 'success') return;
    const { mutationKey } = mutation.options;
    if (mutationKey === reactionKey) share({ reaction: mutation.state.variables as ReactionChange });
    if (mutationKey === readNotificationsKey) share({ areNotificationsRead: true });
  });
  channel.onmessage = ({ data: change }: MessageEvent<Change>) => {
    if ('reaction' in change) {
      return patchCachedPhoto(client, change.reaction.id, createReactionPatch(change.reaction));
    }
    changeUnreadCount(client, 0);
    void client.invalidateQueries({ queryKey: ['notifications'] });
  };
}
