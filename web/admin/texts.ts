/** Formats times and numbers in the language of the page. */
import { language } from '../messages/messages.ts';

/** Formats a UTC time of the API (`YYYY-MM-DD HH:MM:SS`). An empty time gives ''. */
export function formatTime(time: string): string {
  if (time === '') return '';
  const format = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(new Date(`${time.replace(' ', 'T')}Z`));
}

/** Formats a day given as `YYYY-MM-DD`. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

export const formatNumber = (value: number): string => value.toLocaleString(language());
export const formatShortNumber = (value: number): string =>
  new Intl.NumberFormat(language(), { notation: 'compact', maximumFractionDigits: 1 }).format(value);
