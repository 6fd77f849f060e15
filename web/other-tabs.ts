/** Shows likes and favorites that the user sets in one tab in the other tabs of the browser, too. */
import type { QueryClient } from '@tanstack/react-query';
import { createReactionPatch, patchCachedPhoto, type ReactionChange, reactionKey } from './photos/queries.ts';

export function shareReactionsWithTabs(client: QueryClient): void {
  if (!('BroadcastChannel' in window)) return;
  const channel = new BroadcastChannel('lightwell-reactions');
  client.getMutationCache().subscribe(({ type, mutation }) => {
    const isSaved = type === 'updated' && mutation.state.status === 'success';
    if (isSaved && mutation.options.mutationKey === reactionKey)
      channel.postMessage(mutation.state.variables);
  });
  channel.onmessage = ({ data }: MessageEvent<ReactionChange>) =>
    patchCachedPhoto(client, data.id, createReactionPatch(data));
}
