import type { Sharp } from 'sharp';
import { type EncodedImage, toEncodedImage } from '../../formats.ts';
import { maxTransparentWebpPixels } from '../../limits.ts';
import {
  chooseStillEncoder,
  type ImageToEncode,
  type RenditionSpec,
  type Renditions,
  renditionSpecs,
} from '../../renditions.ts';
import {
  hasAlphaChannel,
  openDecodedPixels,
  openImage,
  type PictureSource,
  readDecodedPixels,
  type SharpInput,
} from '../open.ts';
import { computePlaceholder } from './placeholder.ts';

/**
 * Renders a still with a single decode, directly to the preview's size: JPEG and WebP then decode only a fraction, at a
 * fraction of the cost. If the full size is needed, the single decode produces the full size, and the other renditions
 * are made from that.
 */
export async function renderStill(
  { input, inspected }: PictureSource,
  withFull: boolean,
): Promise<Renditions> {
  if (!withFull) return await renderFrom(input, inspected);
  const full = await renderFull(input, inspected);
  const drawn = { ...full, hasAlpha: full.format !== 'jpeg' };
  return { ...(await renderFrom(full.data, drawn)), full };
}

/**
 * Renders preview and thumbnail. The preview's raw pixels never enter JavaScript. Six megabytes per upload would cause
 * a garbage collection at every other upload, a third of the total cost. The encoded preview is good enough as the
 * source of a thumbnail a quarter its size.
 */
async function renderFrom(input: SharpInput, drawn: ImageToEncode): Promise<Renditions> {
  const preview = await encodeStill(openImage(input), drawn, renditionSpecs.preview);
  const isMuchLarger = Math.max(preview.width, preview.height) >= 2 * renditionSpecs.thumb.side;
  const decoded = openImage(isMuchLarger ? preview.data : input);
  const pixels = await readDecodedPixels(resizeToFit(decoded, renditionSpecs.thumb.side));
  const thumb = await encodeStill(
    openDecodedPixels(pixels),
    { ...pixels, hasAlpha: hasAlphaChannel(pixels) },
    renditionSpecs.thumb,
  );
  return { thumb, preview, placeholder: await computePlaceholder(openDecodedPixels(pixels)) };
}

/**
 * Renders the full size. Transparency needs WebP, whose encoder's memory grows with the picture, so a huge transparent
 * picture is scaled down.
 */
async function renderFull(
  input: SharpInput,
  { width, height, hasAlpha }: ImageToEncode,
): Promise<EncodedImage> {
  const scale = hasAlpha ? Math.min(1, Math.sqrt(maxTransparentWebpPixels / (width * height))) : 1;
  const size = {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
  const { format, write } = chooseStillEncoder(renditionSpecs.full, { ...size, hasAlpha });
  const image = openImage(input);
  const fitted = scale < 1 ? image.resize({ ...size, fit: 'fill' }) : image;
  const { data, info } = await write(fitted).toBuffer({ resolveWithObject: true });
  return toEncodedImage(data, format, info);
}

/**
 * Renders a still at a rendition's size. The source must be at least as large, unless the picture itself is smaller.
 */
export async function encodeStill(
  image: Sharp,
  drawn: ImageToEncode,
  rendition: RenditionSpec,
): Promise<EncodedImage> {
  const { format, write } = chooseStillEncoder(rendition, drawn);
  const { data, info } = await write(resizeToFit(image, rendition.side)).toBuffer({
    resolveWithObject: true,
  });
  return toEncodedImage(data, format, info);
}

function resizeToFit(image: Sharp, side: number): Sharp {
  return image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
}
