import type { Sharp } from 'sharp';
import { EDIT_TIMEOUT_SECONDS } from './limits.ts';
import { sharp } from './sharp.ts';

/** Decoded pixels: 8-bit sRGB, three channels or four with (straight) alpha, row by row. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

/** Frames of one size, one after the other. */
export type Frames = Pixels & { frames: number };

/** A pipeline over decoded pixels; it may be opened as often as needed, without decoding again. */
export function openFrame(pixels: Pixels): Sharp {
  const { data, width, height, channels } = pixels;
  return open(data, { width, height, channels });
}

/** The same over frames, which stay frames: what is written from it is an animation. */
export function openRoll(roll: Frames): Sharp {
  const { data, width, height, channels, frames } = roll;
  return open(data, { width, height: height * frames, channels, pageHeight: height });
}

function open(
  data: Buffer,
  raw: Pick<Pixels, 'width' | 'height' | 'channels'> & { pageHeight?: number },
): Sharp {
  return sharp(data, { raw, limitInputPixels: false }).timeout({ seconds: EDIT_TIMEOUT_SECONDS });
}

export function hasAlpha(pixels: Pixels): boolean {
  return pixels.channels === 2 || pixels.channels === 4;
}
