import { type Encoded, encoded, type Format, needsFull } from '../../formats.ts';
import type { Renditions } from '../../renditions.ts';
import { type Input, openImage, type Source } from '../open.ts';
import { renderAnimated } from './animated.ts';
import { renderStill } from './still.ts';

/**
 * Decodes the whole picture and makes its renditions. `full` is made for the formats that browsers cannot show or we
 * cannot clean, and for any other where `withFull` asks for it.
 */
export async function renderUpload(source: Source, format: Format, withFull: boolean): Promise<Renditions> {
  const render = source.inspected.frames > 1 ? renderAnimated : renderStill;
  return await render(source, withFull || needsFull.includes(format));
}

/** Small: JPEG and WebP then read all their bytes, but make few pixels of them. */
const trialSide = 16;

/** Throws where a picture that we have written cannot be read to its end. Takes milliseconds. */
export async function decodeAll(input: Input): Promise<void> {
  await openImage(input).resize(trialSide, trialSide, { fit: 'fill' }).raw().toBuffer();
}

const avatarSide = 256;

/** A square of 256 pixels out of the middle of a picture of any accepted format: WebP, one frame, no metadata. */
export async function renderAvatar({ input }: Source): Promise<Encoded> {
  const { data, info } = await openImage(input)
    .resize({ width: avatarSide, height: avatarSide, fit: 'cover' })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  return encoded(data, 'webp', info);
}
