/** Times and numbers as the reader of the page writes them. */
import { language } from '../messages/messages.ts';

/** Of the API's `YYYY-MM-DD HH:MM:SS`, which is UTC; '' for none. */
export function formatTime(time: string): string {
  if (time === '') return '';
  const format = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(new Date(`${time.replace(' ', 'T')}Z`));
}

/** Of a day, `YYYY-MM-DD`. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

export const formatNumber = (value: number): string => value.toLocaleString(language());
export const formatShortNumber = (value: number): string =>
  new Intl.NumberFormat(language(), { notation: 'compact', maximumFractionDigits: 1 }).format(value);
