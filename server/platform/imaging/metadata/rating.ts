/** Reads the rating of a photo: stars of XMP and Exif, or the percentage that Windows writes. */
import { toSingleLineText } from './text.ts';

const maxRating = 5;

/**
 * Returns 0 to 5, or undefined for another value. Lightroom and Bridge write -1 for a rejected photo, which counts as
 * no rating.
 */
export function readRating(value: unknown): number | undefined {
  const stars = readNumber(value);
  // Some programs write the percentage of Windows into the tag of the stars.
  return stars > maxRating
    ? readRatingPercent(value)
    : stars >= -1
      ? Math.max(0, Math.round(stars))
      : undefined;
}

/** Returns 1 to 5 for a percentage. Windows writes 1, 25, 50, 75 and 99. */
export function readRatingPercent(value: unknown): number | undefined {
  const percent = readNumber(value);
  if (!(percent > 0 && percent <= 100)) return undefined;
  return Math.min(maxRating, Math.max(1, Math.round(percent / 25) + 1));
}

function readNumber(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : toSingleLineText(value);
  return /^[+-]?\d{1,3}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
}
