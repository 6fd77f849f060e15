import type { ImageFormat } from '../formats.ts';
import { type ByteWindow, withByteWindow } from './byte-window.ts';
import { cleanGif } from './gif.ts';
import { cleanJpeg } from './jpeg.ts';
import { type CleanPart, countCleanCopyBytes, UnexpectedStructure } from './parts.ts';
import { cleanPng } from './png.ts';
import { cleanWebp } from './webp.ts';

export { type CleanPart, countCleanCopyBytes } from './parts.ts';

/**
 * Maximum pieces of a clean copy. Files of cameras and editors need fewer; more suggest a crafted file. The pieces are
 * stored in a row.
 */
const maxParts = 256;

/**
 * Maximum bytes inserted into a clean copy, which are stored in the photo's row: a color profile, an orientation,
 * segment headers.
 */
const maxLiteralBytes = 64 * 1024;

const cleanerByFormat: Partial<
  Record<ImageFormat, (bytes: ByteWindow, orientation: number) => Promise<CleanPart[]>>
> = {
  jpeg: cleanJpeg,
  png: cleanPng,
  webp: cleanWebp,
  gif: cleanGif,
};

/**
 * Returns the clean copy: the original without metadata and with unchanged pixels, as pieces of the file. Returns null
 * for HEIC, AVIF, TIFF, or an unusual structure; the `full` rendition then replaces the clean copy. The orientation (1
 * to 8, as inspected) is preserved, because the pixels are not rotated.
 */
export async function computeCleanParts(
  file: string,
  format: ImageFormat,
  orientation: number,
): Promise<CleanPart[] | null> {
  const clean = cleanerByFormat[format];
  if (!clean) return null;
  try {
    const parts = await withByteWindow(file, (bytes) => clean(bytes, orientation));
    return parts.length > maxParts || literalBytes(parts) > maxLiteralBytes ? null : parts;
  } catch (error) {
    if (error instanceof UnexpectedStructure) return null;
    throw error;
  }
}

function literalBytes(parts: CleanPart[]): number {
  return countCleanCopyBytes(parts.filter((part) => 'base64' in part));
}
