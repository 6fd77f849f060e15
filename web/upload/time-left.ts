/** Formats the remaining time of an upload. */
import { t } from '../messages/messages.ts';

/** Returns the remaining time as text, or '' if it is not known yet. */
export function formatTimeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds < 60) return t('uploadSecondsLeft');
  return t('uploadMinutesLeft', { count: Math.ceil(seconds / 60) });
}
