import type { Sharp } from 'sharp';
import type { Deadline } from './deadline.ts';
import type { Inspection } from './inspect.ts';
import { inputOptions, sharp } from './sharp.ts';

/** A picture on the disk and what `inspect` said about it. */
export interface Source {
  file: string;
  inspection: Inspection;
  /** What sharp can read of it: the file itself, and for HEIC, whose codec it does not bring, its pixels. */
  decodable(deadline: Deadline): Promise<Input>;
}

/** What sharp reads: a path, or bytes in memory where its own decoders cannot read the file (HEIC). */
export type Input = string | Buffer;

/** A fresh pipeline over the picture, upright, with all frames if `isAnimated`. */
export function openImage(input: Input, options: { isAnimated: boolean; deadline: Deadline }): Sharp {
  const image = sharp(input, { ...inputOptions, autoOrient: true, animated: options.isAnimated });
  return image.timeout({ seconds: options.deadline.secondsLeft() });
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
export function openFrame(pixels: Pixels, deadline: Deadline): Sharp {
  const { data, width, height, channels } = pixels;
  return open(data, { width, height, channels }, deadline);
}

/** The same over frames, which stay frames: what is written from it is an animation. */
export function openRoll(roll: Frames, deadline: Deadline): Sharp {
  const { data, width, height, channels, frames } = roll;
  return open(data, { width, height: height * frames, channels, pageHeight: height }, deadline);
}

function open(
  data: Buffer,
  raw: Pick<Pixels, 'width' | 'height' | 'channels'> & { pageHeight?: number },
  deadline: Deadline,
): Sharp {
  return sharp(data, { raw, limitInputPixels: false }).timeout({ seconds: deadline.secondsLeft() });
}

export function hasAlpha(pixels: Pixels): boolean {
  return pixels.channels === 2 || pixels.channels === 4;
}

/**
 * Pixels decoded at once. A later frame is decoded from the first on, so that small batches cost time and one
 * large one memory: 12 megapixels are 48 MB, and hold most animations whole.
 */
export const batchPixels = 12_000_000;

/** When frames follow, milliseconds each, and how often they loop (0: for ever). */
export interface Timing {
  delay?: number[];
  loop?: number;
}

/** The picture in full size, frame by frame: upright, sRGB, an animation's with alpha. */
export async function* decodeFrames(
  input: Input,
  inspection: Inspection,
  deadline: Deadline,
): AsyncGenerator<Pixels> {
  const { width, height, frames } = inspection;
  const isAnimated = frames > 1;
  const batch = Math.max(1, Math.floor(batchPixels / (width * height)));
  for (let page = 0; page < frames; page += batch) {
    const pages = Math.min(batch, frames - page);
    const image = isAnimated
      ? sharp(input, { ...inputOptions, page, pages })
          .timeout({ seconds: deadline.secondsLeft() })
          .ensureAlpha()
      : openImage(input, { isAnimated, deadline });
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
