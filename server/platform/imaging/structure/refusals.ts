import { ImageError } from '../errors.ts';

/**
 * Returns an error for a picture that exceeds a limit. `why` continues the public sentence, e.g. `it has more than
 * 1,000 frames`.
 */
export function tooLargeImageError(why: string): ImageError {
  return new ImageError('too-large', `The image is too large: ${why}`);
}

/** Returns the error for a damaged file. `detail` appears in the log only. */
export function damagedFileError(detail: string): ImageError {
  return new ImageError('format', 'The file is damaged or not an image', { cause: new Error(detail) });
}

/** Returns a function that adds amounts and throws `tooLargeImageError(why)` when the sum exceeds `max`. */
export function createAmountLimit(max: number, why: string): (amount?: number) => void {
  let left = max;
  return (amount = 1) => {
    left -= amount;
    if (left < 0) throw tooLargeImageError(why);
  };
}
