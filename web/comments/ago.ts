/** Times of the API (`YYYY-MM-DD HH:MM:SS`, UTC) as people say them. */
import { language } from '../messages/messages.ts';

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const parse = (time: string) => new Date(`${time.replace(' ', 'T')}Z`);

/** "3 days ago", "now" */
export function agoText(time: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - parse(time).getTime()) / 1000);
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? [
    'second',
    Number.POSITIVE_INFINITY,
  ];
  return format.format(-Math.floor(seconds / length) || 0, unit);
}

export function momentText(time: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'long', timeStyle: 'short' }).format(parse(time));
}
