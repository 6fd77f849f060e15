import { type Encoded, encoded } from './formats.ts';
import { decodable } from './heic.ts';
import { MAX_SIDE, RENDER_TIMEOUT_SECONDS } from './limits.ts';
import { type Input, openImage, type Source } from './open.ts';
import { openPixels, type Pixels } from './pixels.ts';
import { placeholderOf } from './placeholder.ts';
import type { Renditions } from './render.ts';
import { type Encoder, RENDITIONS, type Rendition, UNLIMITED } from './renditions.ts';

/**
 * A still is decoded once, straight to the preview's size: JPEG and WebP then decode to a fraction, at a fraction
 * of the cost. Where the full size is wanted too, that is the one decode, and the others are made from it.
 */
export async function renderStill(source: Source, withFull: boolean): Promise<Renditions> {
  const input = await decodable(source);
  if (!withFull) return await renderFrom(input);
  const full = await renderFull(input, source.inspection);
  return { ...(await renderFrom(full.data)), full };
}

async function renderFrom(input: Input): Promise<Renditions> {
  const pixels = await decode(input, RENDITIONS.preview.side);
  const preview = await encodeStill(pixels, RENDITIONS.preview);
  const thumb = await encodeStill(pixels, RENDITIONS.thumb);
  return { thumb, preview, placeholder: await placeholderOf(openPixels(pixels)) };
}

async function renderFull(
  input: Input,
  size: { width: number; height: number; hasAlpha: boolean },
): Promise<Encoded> {
  const { format, write } = encoderFor(RENDITIONS.full, size);
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
  const { format, write } = encoderFor(rendition, { ...pixels, hasAlpha: pixels.channels === 4 });
  const image = openPixels(pixels).resize({
    width: side,
    height: side,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await write(image).toBuffer({ resolveWithObject: true });
  return encoded(data, format, info);
}

function encoderFor(
  rendition: Rendition,
  size: { width: number; height: number; hasAlpha: boolean },
): Encoder {
  if (Math.min(rendition.side, Math.max(size.width, size.height)) > MAX_SIDE) return UNLIMITED;
  return size.hasAlpha ? rendition.transparent : rendition.still;
}
