import type { Sharp } from 'sharp';
import type { Inspected } from '../jobs.ts';
import { batchPixels } from '../limits.ts';
import type { Timing } from '../renditions.ts';
import { inputOptions, sharp } from './sharp.ts';

/** What sharp reads: a path, or bytes in memory where its own decoders cannot read the file (HEIC). */
export type Input = string | Buffer;

/** A picture, and what its headers say. */
export interface Source {
  input: Input;
  inspected: Inspected;
}

/** A fresh pipeline over the picture, upright, with all frames if `animated`. */
export function openImage(input: Input, { animated = false } = {}): Sharp {
  return sharp(input, { ...inputOptions, autoOrient: true, animated });
}

/** Decoded pixels: 8-bit sRGB, three channels or four with (straight) alpha, row by row. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

export async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Frames of one size, one after the other. */
export type Frames = Pixels & { frames: number };

/** A pipeline over decoded pixels; it may be opened as often as needed, without decoding again. */
export function openFrame({ data, width, height, channels }: Pixels): Sharp {
  return open(data, { width, height, channels });
}

/** The same over frames, which stay frames: what is written from it is an animation. */
export function openRoll({ data, width, height, channels, frames }: Frames): Sharp {
  return open(data, { width, height: height * frames, channels, pageHeight: height });
}

function open(
  data: Buffer,
  raw: Pick<Pixels, 'width' | 'height' | 'channels'> & { pageHeight?: number },
): Sharp {
  return sharp(data, { raw, limitInputPixels: false });
}

export function hasAlpha(pixels: Pixels): boolean {
  return pixels.channels === 2 || pixels.channels === 4;
}

/** The picture in full size, frame by frame: upright, sRGB, an animation's with alpha. */
export async function* decodeFrames({ input, inspected }: Source): AsyncGenerator<Pixels> {
  const { width, height, frames } = inspected;
  const isAnimated = frames > 1;
  const batch = Math.max(1, Math.floor(batchPixels / (width * height)));
  for (let page = 0; page < frames; page += batch) {
    const pages = Math.min(batch, frames - page);
    const image = isAnimated
      ? sharp(input, { ...inputOptions, page, pages }).ensureAlpha()
      : openImage(input);
    const { data, ...all } = await pixelsOf(image);
    const frameHeight = all.height / pages;
    const bytes = all.width * frameHeight * all.channels;
    for (let index = 0; index < pages; index++) {
      yield { ...all, data: data.subarray(index * bytes, (index + 1) * bytes), height: frameHeight };
    }
  }
}

export async function frameTiming(input: Input): Promise<Timing> {
  const { delay, loop } = await sharp(input, { ...inputOptions, animated: true }).metadata();
  return { ...(delay && { delay }), ...(loop !== undefined && { loop }) };
}
