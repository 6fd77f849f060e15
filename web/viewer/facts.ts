/** Formats the data of a photo for the reader. */
import type { Photo } from '../api/types.ts';
import { getLanguage } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';

/** Returns text such as "4,000 × 3,000 · 12 MP · 4.2 MB". */
export function formatPictureSize({ width, height, size }: Pick<Photo, 'width' | 'height' | 'size'>): string {
  const number = new Intl.NumberFormat(getLanguage(), { maximumFractionDigits: 1 });
  const megapixels = (width * height) / 1e6;
  return [
    `${number.format(width)} × ${number.format(height)}`,
    megapixels >= 0.1 && `${number.format(megapixels)} MP`,
    formatBytes(size),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Formats the capture time (`YYYY-MM-DD HH:MM:SS`) as it is, because a camera's clock has no time zone. */
export function formatTakenTime(time: string): string {
  const format = new Intl.DateTimeFormat(getLanguage(), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${time.replace(' ', 'T')}Z`));
}
