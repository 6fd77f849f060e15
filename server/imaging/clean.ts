import type { Format } from './formats.ts';

/** A piece of a clean copy: bytes `[start, end)` of the original, or bytes of our own. */
export type Part = { start: number; end: number } | { base64: string };

/**
 * The original without its metadata, pixel for pixel, as pieces of the original file; null where that cannot be
 * done (HEIC, AVIF, TIFF, or an odd structure), and the `full` rendition serves instead.
 */
export async function cleanParts(
  _file: string,
  _format: Format,
  _orientation: number,
): Promise<Part[] | null> {
  throw new Error('not yet');
}

/** Bytes of the clean copy. */
export function cleanSize(_parts: Part[]): number {
  throw new Error('not yet');
}
