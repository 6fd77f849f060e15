/**
 * Bytes that a decoder holds for each pixel of a picture while rows are taken from it, measured at 40 megapixels as
 * the growth of a process's largest memory, and rounded up.
 */
import type { Metadata } from 'sharp';
import type { Format } from './formats.ts';

const flatBytes: Record<Format, number> = {
  jpeg: 1,
  png: 1.5,
  gif: 6,
  webp: 4.5,
  avif: 21,
  tiff: 1.5,
  heic: 13,
};

const bytesPerSample: Partial<Record<NonNullable<Metadata['depth']>, number>> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  complex: 8,
  double: 8,
};

/** The HEIC decoder's thread, its program and its memory, which WebAssembly gives back with the thread alone. */
const heicBase = 70_000_000;

/**
 * Rows under way, through all steps, of the longest side, as a step may turn the picture. Measured with pictures 32,000
 * to 6,000,000 pixels wide; TIFF and GIF hold the most. A PNG of 200 bytes that says 50,000,000 by 2 took 5 GB.
 */
const rows = 450;

/**
 * Bytes held at once, however small the result. `decodedPixels`: those of all items of a HEIC or AVIF. Its figures were
 * measured with a transparency of the picture's size, so that only what is beyond twice the size is more.
 */
export function decoderBytes(format: Format, metadata: Metadata, decodedPixels = 0): number {
  const { width, height } = metadata;
  const base = format === 'heic' ? heicBase : 0;
  const pixels = Math.max(width * height, decodedPixels / 2);
  const flat = pixels * heldBytesPerPixel(format, metadata);
  return base + Math.round(flat + rows * Math.max(width, height) * pixelBytesOf(metadata));
}

function heldBytesPerPixel(format: Format, metadata: Metadata): number {
  const pixelBytes = pixelBytesOf(metadata);
  if (format === 'jpeg' && metadata.isProgressive) return flatBytes.jpeg + coefficientBytes(metadata);
  if (format === 'png' && metadata.isProgressive) return flatBytes.png + pixelBytes;
  if (format === 'avif' && sampleBytesOf(metadata) > 1) return flatBytes.avif * 1.5;
  // Rows are converted on their way: those of many or wide samples take more.
  if (format === 'png' || format === 'tiff') return Math.max(flatBytes[format], pixelBytes / 2);
  return flatBytes[format];
}

const sampleBytesOf = ({ depth = 'uchar' }: Metadata): number => bytesPerSample[depth] ?? 8;

const pixelBytesOf = (metadata: Metadata): number => metadata.channels * sampleBytesOf(metadata);

/**
 * A progressive JPEG is decoded when all its coefficients are there: two bytes a sample, the colours' at their size.
 */
function coefficientBytes({ channels, chromaSubsampling = '' }: Metadata): number {
  if (chromaSubsampling === '4:2:0') return 3;
  if (chromaSubsampling === '4:2:2') return 4;
  return channels * 2;
}
