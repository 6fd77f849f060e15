/** Bytes as people say them. A megabyte is 1,048,576 of them, as quotas and the limit of a file count it. */
import { language } from '../messages/messages.ts';

const units = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** "190 kB", "4.2 MB": the number never stands on another line than its unit. */
export function formatBytes(bytes: number): string {
  const power = bytes >= 1024 ** 3 ? 3 : bytes >= 1024 ** 2 ? 2 : 1;
  const maximumFractionDigits = power === 1 && bytes >= 1024 ? 0 : 1;
  return new Intl.NumberFormat(language(), { style: 'unit', unit: units[power - 1]!, maximumFractionDigits })
    .format(bytes / 1024 ** power)
    .replace(' ', '\u00a0');
}
