/** Formats the remaining time. */
import { t } from '../messages/messages.ts';

/** Returns '' if the time is not known yet. */
export function formatTimeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds < 60) return t('uploadSoon');
  return t('uploadMinutes', { count: Math.ceil(seconds / 60) });
}
