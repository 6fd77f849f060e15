import { undecodable } from './errors.ts';
import { runByWeight } from './heavy.ts';
import { decodable } from './heic.ts';
import { inspect } from './inspect.ts';
import { RENDER_TIMEOUT_SECONDS } from './limits.ts';
import { openImage } from './open.ts';

const SIDE = 256;

/**
 * A square of 256 pixels out of the middle of a picture of any accepted format: WebP, one frame, no metadata.
 * Throws ImageError.
 */
export async function renderAvatar(file: string): Promise<Buffer> {
  const inspection = await inspect(file);
  try {
    return await runByWeight(inspection.heldBytes, async () => {
      const input = await decodable({ file, inspection });
      const image = openImage(input, { isAnimated: false, timeoutSeconds: RENDER_TIMEOUT_SECONDS });
      return await image
        .resize({ width: SIDE, height: SIDE, fit: 'cover' })
        .webp({ quality: 80, effort: 2 })
        .toBuffer();
    });
  } catch (error) {
    throw undecodable(error);
  }
}
