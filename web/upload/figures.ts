/** Bytes and times in words. */
import { language, t } from '../messages/messages.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function sizeText(bytes: number): string {
  const power = Math.min(3, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  const digits = value < 10 && power > 1 ? 1 : 0;
  return value.toLocaleString(language(), {
    ...{ style: 'unit', unit: units[power]!, unitDisplay: 'short', maximumFractionDigits: digits },
  });
}

/** '' where it is not known yet. */
export function timeLeftText(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds < 60) return t('uploadSoon');
  return t('uploadMinutes', { count: Math.ceil(seconds / 60) });
}
