import {
  type EncodedImage,
  formatsNeedingFullRendition,
  type ImageFormat,
  toEncodedImage,
} from '../../formats.ts';
import type { Renditions } from '../../renditions.ts';
import { openImage, type PictureSource, type SharpInput } from '../open.ts';
import { renderAnimated } from './animated.ts';
import { renderStill } from './still.ts';

/**
 * Decodes the whole picture and renders it. `full` is rendered for formats that browsers cannot show or that cannot be
 * cleaned, and for any format if `withFull` is set.
 */
export async function renderUploadedPicture(
  source: PictureSource,
  format: ImageFormat,
  withFull: boolean,
): Promise<Renditions> {
  const render = source.inspected.frames > 1 ? renderAnimated : renderStill;
  return await render(source, withFull || formatsNeedingFullRendition.includes(format));
}

/** Side in pixels of a test decode. JPEG and WebP then read all bytes but produce few pixels. */
const trialSide = 16;

/** Throws if a picture written by this server cannot be decoded to its end. Takes milliseconds. */
export async function checkDecodesCompletely(input: SharpInput): Promise<void> {
  await openImage(input).resize(trialSide, trialSide, { fit: 'fill' }).raw().toBuffer();
}

const avatarSide = 256;

/** Renders a square WebP of 256 by 256 pixels from the middle of a picture: one frame, without metadata. */
export async function renderAvatar({ input }: PictureSource): Promise<EncodedImage> {
  const { data, info } = await openImage(input)
    .resize({ width: avatarSide, height: avatarSide, fit: 'cover' })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  return toEncodedImage(data, 'webp', info);
}

/** Maximum sides of a logo. Pages show a logo 28 pixels high, and screens have up to four pixels for one of a page. */
const maxLogo = { width: 640, height: 160 };

/** Renders a WebP in the shape of the picture, without metadata. Transparency stays. */
export async function renderLogo({ input }: PictureSource): Promise<EncodedImage> {
  const { data, info } = await openImage(input)
    .resize({ ...maxLogo, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90, alphaQuality: 100, effort: 4 })
    .toBuffer({ resolveWithObject: true });
  return toEncodedImage(data, 'webp', info);
}
