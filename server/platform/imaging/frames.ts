import type { Deadline } from './deadline.ts';
import type { Inspection } from './inspect.ts';
import { type Input, openImage } from './open.ts';
import type { Pixels } from './pixels.ts';
import { inputOptions, sharp } from './sharp.ts';

/**
 * Pixels decoded at once. A later frame is decoded from the first on, so that small batches cost time and one
 * large one memory: 12 megapixels are 48 MB, and hold most animations whole.
 */
export const batchPixels = 12_000_000;

/** When frames follow, milliseconds each, and how often they loop (0: for ever). */
export interface Timing {
  delay?: number[];
  loop?: number;
}

/** The picture in full size, frame by frame: upright, sRGB, an animation's with alpha. */
export async function* decodeFrames(
  input: Input,
  inspection: Inspection,
  deadline: Deadline,
): AsyncGenerator<Pixels> {
  const { width, height, frames } = inspection;
  const isAnimated = frames > 1;
  const batch = Math.max(1, Math.floor(batchPixels / (width * height)));
  for (let page = 0; page < frames; page += batch) {
    const pages = Math.min(batch, frames - page);
    const image = isAnimated
      ? sharp(input, { ...inputOptions, page, pages })
          .timeout({ seconds: deadline.secondsLeft() })
          .ensureAlpha()
      : openImage(input, { isAnimated, deadline });
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const frameHeight = info.height / pages;
    const bytes = info.width * frameHeight * info.channels;
    for (let index = 0; index < pages; index++) {
      const frame = data.subarray(index * bytes, (index + 1) * bytes);
      yield { data: frame, width: info.width, height: frameHeight, channels: info.channels };
    }
  }
}

export async function frameTiming(input: Input): Promise<Timing> {
  const { delay, loop } = await sharp(input, { ...inputOptions, animated: true }).metadata();
  return { ...(delay && { delay }), ...(loop !== undefined && { loop }) };
}
