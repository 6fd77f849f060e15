/** Times of the API, `YYYY-MM-DD HH:MM:SS` in UTC, as their reader writes them. */
import { language } from '../messages/messages.ts';

function momentOf(time: string): Date {
  return new Date(`${time.replace(' ', 'T')}Z`);
}

/** "22 November 2026" */
export function dateText(time: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'long' }).format(momentOf(time));
}

/** "Today", "Yesterday", "Friday, November 20, 2026": of the reader's own calendar. */
export function dayText(time: string, now = Date.now()): string {
  const day = momentOf(time);
  const daysAgo = Math.max(0, Math.round((startOf(new Date(now)) - startOf(day)) / 86_400_000));
  if (daysAgo > 1) return new Intl.DateTimeFormat(language(), { dateStyle: 'full' }).format(day);
  const [first = '', ...rest] = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(
    -daysAgo,
    'day',
  );
  return first.toLocaleUpperCase(language()) + rest.join('');
}

const startOf = (moment: Date) => new Date(moment).setHours(0, 0, 0, 0);

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
