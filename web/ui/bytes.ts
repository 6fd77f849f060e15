/** Formats numbers of bytes. A megabyte is 1,048,576 bytes, as in quotas and file size limits. */
import { getLanguage } from '../messages/messages.ts';

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Returns text such as "0 bytes", "190 kB" or "4.2 MB", with a no-break space before the unit. */
export function formatBytes(bytes: number): string {
  const power = bytes >= 1024 ** 3 ? 3 : bytes >= 1024 ** 2 ? 2 : bytes > 0 ? 1 : 0;
  const maximumFractionDigits = power === 1 && bytes >= 1024 ? 0 : 1;
  return new Intl.NumberFormat(getLanguage(), {
    style: 'unit',
    unit: byteUnits[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits,
  })
    .format(bytes / 1024 ** power)
    .replace(' ', '\u00a0');
}
