import type { Sharp } from 'sharp';
import type { Deadline } from './deadline.ts';
import { sharp } from './sharp.ts';

/** Decoded pixels: 8-bit sRGB, three channels or four with (straight) alpha, row by row. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
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
