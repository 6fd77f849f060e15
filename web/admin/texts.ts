/** Formats times and numbers in the language of the page. */
import { getLanguage } from '../messages/messages.ts';

/** Formats a UTC time of the API (`YYYY-MM-DD HH:MM:SS`). An empty time gives ''. */
export function formatTime(time: string): string {
  if (time === '') return '';
  const format = new Intl.DateTimeFormat(getLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(new Date(`${time.replace(' ', 'T')}Z`));
}

/** Formats a day given as `YYYY-MM-DD`. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(getLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(day),
  );
}

export const formatNumber = (value: number): string => value.toLocaleString(getLanguage());
export const formatShortNumber = (value: number): string =>
  new Intl.NumberFormat(getLanguage(), { notation: 'compact', maximumFractionDigits: 1 }).format(value);
