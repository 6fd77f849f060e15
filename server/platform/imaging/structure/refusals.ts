import { ImageError } from '../errors.ts';

/** `why` continues the public sentence: `it has more than 1,000 frames`. */
export function tooLarge(why: string): ImageError {
  return new ImageError('too-large', `The image is too large: ${why}`);
}

/** `detail` is for the log alone. */
export function damaged(detail: string): ImageError {
  return new ImageError('format', 'The file is damaged or not an image', { cause: new Error(detail) });
}

/** Returns a function that counts, and throws `tooLarge(why)` as soon as the sum exceeds `max`. */
export function createBudget(max: number, why: string): (amount?: number) => void {
  let left = max;
  return (amount = 1) => {
    left -= amount;
    if (left < 0) throw tooLarge(why);
  };
}
