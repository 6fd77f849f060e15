import type { Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';

/** ThumbHash takes at most 100 pixels a side; it keeps some 7x7 coefficients, which 32 pixels tell as well. */
const side = 32;

/** The picture as about 25 bytes (ThumbHash, base64), to show as a blur until it arrives. */
export async function placeholderOf(image: Sharp): Promise<string> {
  const { data, info } = await image
    .resize({ width: side, height: side, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
