/** Formats times of the API (`YYYY-MM-DD HH:MM:SS` in UTC) in the reader's language and time zone. */
import { getLanguage } from '../messages/messages.ts';

function parseTime(time: string): Date {
  return new Date(`${time.replace(' ', 'T')}Z`);
}

/** Returns text such as "22 November 2026". */
export function formatDate(time: string): string {
  return new Intl.DateTimeFormat(getLanguage(), { dateStyle: 'long' }).format(parseTime(time));
}

/** Returns "Today", "Yesterday" or "Friday, November 20, 2026", by the reader's calendar. */
export function formatDay(time: string, now = Date.now()): string {
  const day = parseTime(time);
  const daysAgo = Math.max(0, Math.round((startOfDay(new Date(now)) - startOfDay(day)) / 86_400_000));
  if (daysAgo > 1) return new Intl.DateTimeFormat(getLanguage(), { dateStyle: 'full' }).format(day);
  const [first = '', ...rest] = new Intl.RelativeTimeFormat(getLanguage(), { numeric: 'auto' }).format(
    -daysAgo,
    'day',
  );
  return first.toLocaleUpperCase(getLanguage()) + rest.join('');
}

const startOfDay = (date: Date) => new Date(date).setHours(0, 0, 0, 0);

/** Returns text such as "Nov 22, 2026, 9:30 AM". */
export function formatDateTime(time: string): string {
  return new Intl.DateTimeFormat(getLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    parseTime(time),
  );
}

const timeUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const monthSeconds = 30 * 86_400;

/** Returns "3 minutes ago" or "yesterday", or the date of a time more than a month ago. */
export function formatAgo(time: string, now = Date.now()): string {
  const seconds = (now - parseTime(time).getTime()) / 1000;
  if (seconds > monthSeconds) return formatDate(time);
  const format = new Intl.RelativeTimeFormat(getLanguage(), { numeric: 'auto' });
  const [unit, size] = timeUnits.find(([, size]) => seconds >= size) ?? (['second', 60] as const);
  return format.format(-Math.floor(Math.max(0, seconds) / size), unit);
}

export function isPast(time: string, now = Date.now()): boolean {
  return parseTime(time).getTime() <= now;
}

/** Turns the value of a date field, whose seconds can be missing, into the text of the API. No zone moves it. */
export function readWallClock(value: string): string {
  const [day, time = '00:00'] = value.split('T');
  return `${day} ${time.length === 5 ? `${time}:00` : time.slice(0, 8)}`;
}
