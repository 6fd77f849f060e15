import type { Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';

/**
 * Side in pixels of the picture for ThumbHash, which accepts up to 100. A ThumbHash stores about 7 by 7 coefficients,
 * for which 32 pixels suffice.
 */
const placeholderSide = 32;

/** Returns the picture as about 25 bytes (ThumbHash, base64), shown as a blur until the picture has loaded. */
export async function computePlaceholder(image: Sharp): Promise<string> {
  const { data, info } = await image
    .resize({ width: placeholderSide, height: placeholderSide, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
