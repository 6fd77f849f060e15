/** What was done, and what was not, in a sentence. */
import type { Outcome } from '../api/types.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import type { Change } from '../photos/actions.ts';

const done: Record<Change['action'], MessageKey> = {
  favorite: 'doneFavorite',
  unfavorite: 'doneUnfavorite',
  tag: 'doneTag',
  untag: 'doneUntag',
  describe: 'doneDescribe',
  move: 'doneMove',
  publish: 'donePublish',
  hide: 'doneHide',
  delete: 'doneDelete',
  restore: 'doneRestore',
  purge: 'donePurge',
};

export function doneText({ action }: Change, count: number): string {
  return t(done[action], { count });
}

/** Each reason of the API with its number. */
export function failedText({ failed }: Outcome, total: number): string {
  const reasons = new Map<string, number>();
  for (const { message } of failed) reasons.set(message, (reasons.get(message) ?? 0) + 1);
  const told = [...reasons].map(([reason, count]) => (reasons.size > 1 ? `${reason} (${count})` : reason));
  return t('failedSome', { count: failed.length, total, reasons: told.join('; ') });
}
