import type { Sharp } from 'sharp';
import { sharp } from './sharp.ts';

/** Decoded pixels: 8-bit sRGB, three channels or four with (straight) alpha, row by row. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

/** A pipeline over decoded pixels; it may be opened as often as needed, without decoding again. */
export function openPixels(pixels: Pixels): Sharp {
  const { data, width, height, channels } = pixels;
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}
