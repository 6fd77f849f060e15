/** Renders a picture at a given width: in sRGB, upright, without metadata. */
import type { Sharp } from 'sharp';
import { type EncodedImage, toEncodedImage } from '../../formats.ts';
import { renditionSpecs } from '../../renditions.ts';
import { computeRenderedSize, type SizeFormat, type SizeRenderRequest } from '../../size.ts';
import { openImage, type SharpInput } from '../open.ts';
import { sharp, sharpInputOptions } from '../sharp.ts';
import { renderAnimation } from './animated.ts';

/** Renders a size with the thumbnail's encoders. See `docs/adr/0035-sizes-on-demand.md`. */
export async function renderSize(input: SharpInput, request: SizeRenderRequest): Promise<EncodedImage> {
  if (request.isAnimated && request.format === 'webp') return await renderMoving(input, request);
  const image = openImage(input).resize({ ...computeRenderedSize(request), fit: 'fill' });
  const { data, info } = await writerByFormat[request.format](image, request).toBuffer({
    resolveWithObject: true,
  });
  return toEncodedImage(data, request.format === 'jpg' ? 'jpeg' : 'webp', info);
}

const writerByFormat: Record<SizeFormat, (image: Sharp, request: SizeRenderRequest) => Sharp> = {
  webp: (image) => image.webp({ quality: 80, effort: 2 }),
  // JPEG has no transparency, so transparent parts become white.
  jpg: (image, { hasAlpha }) =>
    (hasAlpha ? image.flatten({ background: '#fff' }) : image).jpeg({ quality: 80 }),
};

/** Scales all frames of a preview without enlarging them. */
async function renderMoving(input: SharpInput, { to }: SizeRenderRequest): Promise<EncodedImage> {
  const { width, height, pageHeight, pages } = await sharp(input, {
    ...sharpInputOptions,
    animated: true,
  }).metadata();
  const frame = { width, height: pageHeight ?? height, frames: pages ?? 1 };
  const side = Math.max(frame.width, frame.height) * Math.min(1, to / frame.width);
  return await renderAnimation(input, frame, { ...renditionSpecs.thumb, side, animationPixels });
}

const { animationPixels } = renditionSpecs.preview;
