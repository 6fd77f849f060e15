/** Sentences that report the results of a change. */
import type { BatchOutcome } from '../api/types.ts';
import { removeFinalPeriod } from '../errors/localize-error.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import type { BulkPhotoChange } from '../photos/bulk-actions.ts';
import { getLevelLabel } from '../visibility/levels.ts';

const doneTexts: Record<BulkPhotoChange['action'], MessageKey> = {
  favorite: 'doneFavorite',
  unfavorite: 'doneUnfavorite',
  tag: 'doneTag',
  untag: 'doneUntag',
  describe: 'doneDescribe',
  date: 'doneDate',
  place: 'donePlace',
  rate: 'doneRate',
  visibility: 'doneVisibility',
  delete: 'doneDelete',
  restore: 'doneRestore',
  purge: 'donePurge',
};

export function describeBulkResult({ action, visibility }: BulkPhotoChange, count: number): string {
  return t(doneTexts[action], { count, level: visibility ? getLevelLabel(visibility) : '' });
}

/** Returns one sentence for each reason of failure, with its number of photos. */
export function describeBulkFailures({ failed }: BatchOutcome, total: number): string {
  const reasons = new Map<string, number>();
  for (const failure of failed) {
    const message = removeFinalPeriod(failure.message);
    reasons.set(message, (reasons.get(message) ?? 0) + 1);
  }
  const told = [...reasons].map(([reason, count]) => (reasons.size > 1 ? `${reason} (${count})` : reason));
  return t('failedSome', { count: failed.length, total, reasons: told.join('; ') });
}
