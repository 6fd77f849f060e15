/** Renders a picture at a given width: in sRGB, upright, without metadata. */
import type { Sharp } from 'sharp';
import { type EncodedImage, toEncodedImage } from '../../formats.ts';
import { renditionSpecs } from '../../renditions.ts';
import { computeRenderedSize, type SizeRenderRequest } from '../../size.ts';
import { openImage, type SharpInput, toFileOrBytes } from '../open.ts';
import { sharp, sharpInputOptions } from '../sharp.ts';
import { renderAnimation } from './animated.ts';

/** Renders a size with the thumbnail's encoders. See `docs/adr/0035-sizes-on-demand.md`. */
export async function renderSize(input: SharpInput, request: SizeRenderRequest): Promise<EncodedImage> {
  if (request.isAnimated && request.format === 'webp') return await renderMoving(input, request);
  const image = openImage(input).resize({ ...computeRenderedSize(request), fit: 'fill' });
  if (request.format === 'webp') return await encode(image.webp({ quality: 80, effort: 2 }), 'webp');
  // JPEG has no transparency, so transparent parts become white.
  const opaque = request.hasAlpha ? image.flatten({ background: '#fff' }) : image;
  return await renderJpegBelow(opaque, request.maxBytes ?? Number.POSITIVE_INFINITY);
}

async function encode(image: Sharp, format: 'jpeg' | 'webp'): Promise<EncodedImage> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return toEncodedImage(data, format, info);
}

/** The last quality needs about a quarter of the bytes of the first one. */
const jpegQualities = [80, 65, 45, 25, 10];

/** Encodes a JPEG with the highest quality whose bytes are at most `maxBytes`, or with the lowest quality. */
async function renderJpegBelow(image: Sharp, maxBytes: number): Promise<EncodedImage> {
  const [best, ...lower] = jpegQualities.map(
    (quality) => () => encode(image.clone().jpeg({ quality }), 'jpeg'),
  );
  let made = await best!();
  for (const again of lower) {
    if (made.data.length <= maxBytes) break;
    made = await again();
  }
  return made;
}

/** Scales all frames of a preview without enlarging them. */
async function renderMoving(input: SharpInput, { to }: SizeRenderRequest): Promise<EncodedImage> {
  const { width, height, pageHeight, pages } = await sharp(toFileOrBytes(input), {
    ...sharpInputOptions,
    animated: true,
  }).metadata();
  const frame = { width, height: pageHeight ?? height, frames: pages ?? 1 };
  const side = Math.max(frame.width, frame.height) * Math.min(1, to / frame.width);
  return await renderAnimation(input, frame, { ...renditionSpecs.thumb, side, animationPixels });
}

const { animationPixels } = renditionSpecs.preview;
