import { createDeadline } from '../deadline.ts';
import { undecodable } from '../errors.ts';
import { renderSeconds } from '../limits.ts';
import { openImage, type Source } from '../open.ts';

const side = 256;

/**
 * A square of 256 pixels out of the middle of a picture of any accepted format: WebP, one frame, no metadata.
 * Throws ImageError.
 */
export async function renderAvatar(source: Source, signal?: AbortSignal): Promise<Buffer> {
  const deadline = createDeadline(renderSeconds, signal);
  try {
    const input = await source.decodable(deadline);
    const image = openImage(input, { isAnimated: false, deadline });
    return await image
      .resize({ width: side, height: side, fit: 'cover' })
      .webp({ quality: 80, effort: 2 })
      .toBuffer();
  } catch (error) {
    throw undecodable(error);
  }
}
