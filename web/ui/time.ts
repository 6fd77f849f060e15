/** Times of the API, `YYYY-MM-DD HH:MM:SS` in UTC, as their reader writes them. */
import { language } from '../messages/messages.ts';

function momentOf(time: string): Date {
  return new Date(`${time.replace(' ', 'T')}Z`);
}

/** "22 November 2026" */
export function dateText(time: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'long' }).format(momentOf(time));
}

/** "Nov 22, 2026, 9:30 AM" */
export function momentText(time: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    momentOf(time),
  );
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const aMonth = 30 * 86_400;

/** "3 minutes ago", "yesterday"; the date of what is older than a month. */
export function agoText(time: string, now = Date.now()): string {
  const seconds = (now - momentOf(time).getTime()) / 1000;
  if (seconds > aMonth) return dateText(time);
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? (['second', 60] as const);
  return format.format(-Math.floor(Math.max(0, seconds) / size), unit);
}

export function isPast(time: string, now = Date.now()): boolean {
  return momentOf(time).getTime() <= now;
}
