import type { Format } from '../formats.ts';
import { type ByteWindow, withByteWindow } from './byte-window.ts';
import { cleanGif } from './gif.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanSize, OddStructure, type Part } from './parts.ts';
import { cleanPng } from './png.ts';
import { cleanWebp } from './webp.ts';

export { cleanSize, type Part } from './parts.ts';

/** A structure in more pieces than any camera's or editor's is made to annoy; the pieces are kept in a row. */
const maxParts = 256;

/** Bytes of our own in a clean copy, which lie in the photo's row: a profile, an orientation, heads of segments. */
const maxLiteralBytes = 64 * 1024;

const cleaners: Partial<Record<Format, (bytes: ByteWindow, orientation: number) => Promise<Part[]>>> = {
  jpeg: cleanJpeg,
  png: cleanPng,
  webp: cleanWebp,
  gif: cleanGif,
};

/**
 * The original without its metadata, pixel for pixel, as pieces of the original file; null where that cannot be
 * done (HEIC, AVIF, TIFF, or an odd structure), and the `full` rendition serves instead. The orientation (1 to 8,
 * as inspected) stays, since the pixels do not turn.
 */
export async function cleanParts(file: string, format: Format, orientation: number): Promise<Part[] | null> {
  const clean = cleaners[format];
  if (!clean) return null;
  try {
    const parts = await withByteWindow(file, (bytes) => clean(bytes, orientation));
    return parts.length > maxParts || literalBytes(parts) > maxLiteralBytes ? null : parts;
  } catch (error) {
    if (error instanceof OddStructure) return null;
    throw error;
  }
}

function literalBytes(parts: Part[]): number {
  return cleanSize(parts.filter((part) => 'base64' in part));
}
