import { type Encoded, encoded } from './formats.ts';
import { decodable } from './heic.ts';
import type { Inspection } from './inspect.ts';
import { RENDER_TIMEOUT_SECONDS } from './limits.ts';
import { type Input, openImage, type Source } from './open.ts';
import { hasAlpha, openFrame, type Pixels } from './pixels.ts';
import { placeholderOf } from './placeholder.ts';
import type { Renditions } from './render.ts';
import { type Drawn, type Encoder, RENDITIONS, type Rendition, stillEncoder } from './renditions.ts';

/**
 * A still is decoded once, straight to the preview's size: JPEG and WebP then decode to a fraction, at a fraction
 * of the cost. Where the full size is wanted too, that is the one decode, and the others are made from it.
 */
export async function renderStill(source: Source, withFull: boolean): Promise<Renditions> {
  const input = await decodable(source);
  const { inspection } = source;
  if (!withFull) return await renderFrom(input, inspection);
  const full = await renderFull(input, inspection);
  return { ...(await renderFrom(full.data, { ...full, hasAlpha: full.format !== 'jpeg' })), full };
}

/**
 * No pixels of the preview's size pass through JavaScript: six megabytes of them would have the garbage collected
 * at every other upload, for a third of what the renditions cost. The encoded preview is a source as good for a
 * thumbnail a quarter its size.
 */
async function renderFrom(input: Input, drawn: Drawn): Promise<Renditions> {
  const preview = await renderPreview(input, drawn);
  const isMuchLarger = Math.max(preview.width, preview.height) >= 2 * RENDITIONS.thumb.side;
  const pixels = await decode(isMuchLarger ? preview.data : input, RENDITIONS.thumb.side);
  const thumb = await encodeStill(pixels, RENDITIONS.thumb);
  return { thumb, preview, placeholder: await placeholderOf(openFrame(pixels)) };
}

async function renderPreview(input: Input, drawn: Drawn): Promise<Encoded> {
  const { side } = RENDITIONS.preview;
  const { format, write } = stillEncoder(RENDITIONS.preview, drawn);
  const image = openImage(input, { isAnimated: false, timeoutSeconds: RENDER_TIMEOUT_SECONDS }).resize({
    width: side,
    height: side,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await write(image).toBuffer({ resolveWithObject: true });
  return encoded(data, format, info);
}

async function renderFull(input: Input, inspection: Inspection): Promise<Encoded> {
  const { format, write } = stillEncoder(RENDITIONS.full, inspection);
  const image = openImage(input, { isAnimated: false, timeoutSeconds: RENDER_TIMEOUT_SECONDS });
  const { data, info } = await write(image).toBuffer({ resolveWithObject: true });
  return encoded(data, format, info);
}

async function decode(input: Input, side: number): Promise<Pixels> {
  const image = openImage(input, { isAnimated: false, timeoutSeconds: RENDER_TIMEOUT_SECONDS });
  const { data, info } = await image
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** A rendition out of pixels that are at least as large, or as large as the picture is. */
export async function encodeStill(pixels: Pixels, rendition: Rendition): Promise<Encoded> {
  const { side } = rendition;
  const { format, write } = stillEncoder(rendition, { ...pixels, hasAlpha: hasAlpha(pixels) });
  const image = openFrame(pixels).resize({
    width: side,
    height: side,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await write(image).toBuffer({ resolveWithObject: true });
  return encoded(data, format, info);
}

/** The pixels as they are. */
export async function encodeWith(pixels: Pixels, { format, write }: Encoder): Promise<Encoded> {
  const { data, info } = await write(openFrame(pixels)).toBuffer({ resolveWithObject: true });
  return encoded(data, format, info);
}
