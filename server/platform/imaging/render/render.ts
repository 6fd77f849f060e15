import { createDeadline } from '../deadline.ts';
import { heard, undecodable } from '../errors.ts';
import { needsFull } from '../formats.ts';
import { renderSeconds } from '../limits.ts';
import { openImage, type Source } from '../open.ts';
import { renderAnimated } from './animated.ts';
import type { Renditions } from './renditions.ts';
import { renderStill } from './still.ts';

export type { Source } from '../open.ts';

export interface RenderOptions {
  /** Also of a format that browsers show. */
  full?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Decodes the whole picture (a damaged one is refused with ImageError) and makes its renditions. `full` is made for
 * the formats browsers cannot show or we cannot clean, and for any other when `options.full` asks for it. What it
 * holds in memory, `uploadBytes` of weights.ts says before.
 */
export async function renderUpload(source: Source, options: RenderOptions = {}): Promise<Renditions> {
  const { format, frames } = source.inspection;
  const withFull = options.full === true || needsFull.includes(format);
  const render = frames > 1 ? renderAnimated : renderStill;
  try {
    const deadline = createDeadline(renderSeconds, options.signal);
    return await heard(() => render(source, withFull, deadline));
  } catch (error) {
    throw undecodable(error);
  }
}

/** Small: JPEG and WebP then read all their bytes, but make few pixels of them. */
const trialSide = 16;

/** Whether a picture that we have written can still be read to its end. Takes milliseconds. */
export async function decodes(bytes: Buffer): Promise<boolean> {
  try {
    const image = openImage(bytes, { isAnimated: false, deadline: createDeadline(renderSeconds) });
    await image.resize(trialSide, trialSide, { fit: 'fill' }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

const avatarSide = 256;

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
      .resize({ width: avatarSide, height: avatarSide, fit: 'cover' })
      .webp({ quality: 80, effort: 2 })
      .toBuffer();
  } catch (error) {
    throw undecodable(error);
  }
}
