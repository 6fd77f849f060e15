import { createDeadline } from './deadline.ts';
import { renderSeconds } from './limits.ts';
import { openImage } from './open.ts';

/** Small: JPEG and WebP then read all their bytes, but make few pixels of them. */
const side = 16;

/** Whether a picture that we have written can still be read to its end. Takes milliseconds. */
export async function decodes(bytes: Buffer): Promise<boolean> {
  try {
    const image = openImage(bytes, { isAnimated: false, deadline: createDeadline(renderSeconds) });
    await image.resize(side, side, { fit: 'fill' }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}
