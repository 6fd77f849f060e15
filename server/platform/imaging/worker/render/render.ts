import { type Encoded, encoded, type Format, needsFull } from '../../formats.ts';
import type { Renditions } from '../../renditions.ts';
import { type Input, openImage, type Source } from '../open.ts';
import { renderAnimated } from './animated.ts';
import { renderStill } from './still.ts';

/**
 * Decodes the whole picture and renders it. `full` is rendered for formats that browsers cannot show or that cannot be
 * cleaned, and for any format if `withFull` is set.
 */
export async function renderUpload(source: Source, format: Format, withFull: boolean): Promise<Renditions> {
  const render = source.inspected.frames > 1 ? renderAnimated : renderStill;
  return await render(source, withFull || needsFull.includes(format));
}

/** Side in pixels of a test decode. JPEG and WebP then read all bytes but produce few pixels. */
const trialSide = 16;

/** Throws if a picture written by this server cannot be decoded to its end. Takes milliseconds. */
export async function decodeAll(input: Input): Promise<void> {
  await openImage(input).resize(trialSide, trialSide, { fit: 'fill' }).raw().toBuffer();
}

const avatarSide = 256;

/** Renders a square WebP of 256 by 256 pixels from the middle of a picture: one frame, without metadata. */
export async function renderAvatar({ input }: Source): Promise<Encoded> {
  const { data, info } = await openImage(input)
    .resize({ width: avatarSide, height: avatarSide, fit: 'cover' })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  return encoded(data, 'webp', info);
}
