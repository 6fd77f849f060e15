import type { Sharp } from 'sharp';
import type { InspectedPicture } from '../jobs.ts';
import { animationBatchPixels } from '../limits.ts';
import type { AnimationTiming } from '../renditions.ts';
import { sharp, sharpInputOptions } from './sharp.ts';

/** Input for sharp: a path, or bytes in memory if sharp cannot decode the file itself (HEIC). */
export type SharpInput = string | Buffer | DeepFile;

/**
 * A file with a color profile and 16 bits per sample. sharp converts such a picture to Display P3, and to sRGB only if
 * asked to.
 */
export interface DeepFile {
  deepFile: string;
}

/** Returns the input as sharp accepts it. */
export function toFileOrBytes(input: SharpInput): string | Buffer {
  return typeof input === 'string' || Buffer.isBuffer(input) ? input : input.deepFile;
}

/** A picture to render, and the facts from its headers. */
export interface PictureSource {
  input: SharpInput;
  inspected: InspectedPicture;
}

/** Opens a new sharp pipeline over the upright picture, with all frames if `animated`. */
export function openImage(input: SharpInput, { animated = false } = {}): Sharp {
  const image = sharp(toFileOrBytes(input), { ...sharpInputOptions, autoOrient: true, animated });
  const isDeep = typeof input === 'object' && !Buffer.isBuffer(input);
  return isDeep ? image.withIccProfile('srgb', { attach: false }) : image;
}

/** Decoded pixels row by row: 8-bit sRGB with three channels, or four with straight alpha. */
export interface DecodedPixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

export async function readDecodedPixels(image: Sharp): Promise<DecodedPixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Decoded frames of one size, one after the other. */
export type DecodedFrames = DecodedPixels & { frames: number };

/** Opens a sharp pipeline over decoded pixels, which can be repeated without decoding again. */
export function openDecodedPixels({ data, width, height, channels }: DecodedPixels): Sharp {
  return openRawPixels(data, { width, height, channels });
}

/** Opens a sharp pipeline over frames, whose output is an animation. */
export function openDecodedFrames({ data, width, height, channels, frames }: DecodedFrames): Sharp {
  return openRawPixels(data, { width, height: height * frames, channels, pageHeight: height });
}

function openRawPixels(
  data: Buffer,
  raw: Pick<DecodedPixels, 'width' | 'height' | 'channels'> & { pageHeight?: number },
): Sharp {
  return sharp(data, { raw, limitInputPixels: false });
}

export function hasAlphaChannel(pixels: DecodedPixels): boolean {
  return pixels.channels === 2 || pixels.channels === 4;
}

/** Yields the picture in full size, frame by frame: upright, in sRGB. Frames of an animation have alpha. */
export async function* decodeFrames({ input, inspected }: PictureSource): AsyncGenerator<DecodedPixels> {
  const { width, height, frames } = inspected;
  const isAnimated = frames > 1;
  const batch = Math.max(1, Math.floor(animationBatchPixels / (width * height)));
  for (let page = 0; page < frames; page += batch) {
    const pages = Math.min(batch, frames - page);
    const image = isAnimated
      ? sharp(toFileOrBytes(input), { ...sharpInputOptions, page, pages }).ensureAlpha()
      : openImage(input);
    const { data, ...all } = await readDecodedPixels(image);
    const frameHeight = all.height / pages;
    const bytes = all.width * frameHeight * all.channels;
    for (let index = 0; index < pages; index++) {
      yield { ...all, data: data.subarray(index * bytes, (index + 1) * bytes), height: frameHeight };
    }
  }
}

export async function readAnimationTiming(input: SharpInput): Promise<AnimationTiming> {
  const { delay, loop } = await sharp(toFileOrBytes(input), {
    ...sharpInputOptions,
    animated: true,
  }).metadata();
  return { ...(delay && { delay }), ...(loop !== undefined && { loop }) };
}
