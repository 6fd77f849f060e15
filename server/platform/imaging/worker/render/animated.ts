import { stat } from 'node:fs/promises';
import { type EncodedImage, toEncodedImage } from '../../formats.ts';
import {
  freeAnimationBytes,
  type RenditionEncoder,
  type RenditionSpec,
  type Renditions,
  renditionSpecs,
  smallerAnimationEncoder,
} from '../../renditions.ts';
import { openImage, type PictureSource, type SharpInput, toFileOrBytes } from '../open.ts';
import { computePlaceholder } from './placeholder.ts';

interface AnimationSize {
  width: number;
  height: number;
  frames: number;
}

/**
 * Renders an animation with all its frames. Frames stream through the encoder one after the other, because decoding all
 * at once would take a gigabyte. The thumbnail is made from the preview.
 */
export async function renderAnimated(
  { input, inspected }: PictureSource,
  withFull: boolean,
): Promise<Renditions> {
  const full = withFull ? await renderAnimation(input, inspected, renditionSpecs.full) : undefined;
  const preview = await renderAnimation(full?.data ?? input, inspected, renditionSpecs.preview);
  const thumb = await renderThumb(preview, inspected.frames);
  return { thumb, preview, full, placeholder: await computePlaceholder(openImage(thumb.data)) };
}

/** Renders the thumbnail from the preview. A small animation's preview is also its thumbnail. */
export async function renderThumb(preview: EncodedImage, frames: number): Promise<EncodedImage> {
  const { width } = frameSize({ ...preview, frames }, renditionSpecs.thumb);
  if (width === preview.width) return preview;
  return await renderAnimation(preview.data, { ...preview, frames }, renditionSpecs.thumb);
}

/**
 * Renders an animation within the rendition's side and pixel limits. A result with more bytes than its input is encoded
 * again at lower quality with smaller frames. A dithered GIF of 4 MB would otherwise take 47 MB.
 */
export async function renderAnimation(
  input: SharpInput,
  size: AnimationSize,
  rendition: RenditionSpec,
): Promise<EncodedImage> {
  let encoder: RenditionEncoder = rendition.animated;
  const maxBytes = Math.max(await countBytes(input), freeAnimationBytes);
  let { width, height } = frameSize(size, rendition);
  for (;;) {
    const image = openImage(input, { animated: true });
    const data = await encoder.write(image.resize({ width, height, fit: 'fill' })).toBuffer();
    const isSmallest = width === 1 && height === 1;
    if (data.length <= maxBytes || isSmallest) return toEncodedImage(data, encoder.format, { width, height });
    const saved = encoder === smallerAnimationEncoder ? 1 : smallerAnimationShare;
    encoder = smallerAnimationEncoder;
    const scale = Math.min(1, shrinkStep * Math.sqrt(maxBytes / (data.length * saved)));
    width = Math.max(1, Math.floor(width * scale));
    height = Math.max(1, Math.floor(height * scale));
  }
}

/** Fraction of the first attempt's bytes that the sparing encoder is expected to write. */
const smallerAnimationShare = 0.5;
/** Factor on the scale, because bytes shrink more slowly than pixels. The second attempt should fit. */
const shrinkStep = 0.85;

async function countBytes(input: SharpInput): Promise<number> {
  const file = toFileOrBytes(input);
  return typeof file === 'string' ? (await stat(file)).size : file.length;
}

function frameSize(size: AnimationSize, rendition: RenditionSpec): { width: number; height: number } {
  const bySide = rendition.side / Math.max(size.width, size.height);
  const byPixels = Math.sqrt(rendition.animationPixels / (size.width * size.height * size.frames));
  const scale = Math.min(1, bySide, byPixels);
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}
