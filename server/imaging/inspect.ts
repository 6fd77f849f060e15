import { open } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import { ImageError, undecodable } from './errors.ts';
import { FORMATS, type Format } from './formats.ts';
import { MAX_FRAME_PIXELS, MAX_FRAMES, MAX_HELD_BYTES, MAX_TOTAL_PIXELS } from './limits.ts';
import { INPUT, sharp } from './sharp.ts';
import { SNIFF_BYTES, sniff } from './sniff.ts';
import { isRaw } from './tiff.ts';

/** What the headers say about a picture. It has not been decoded yet, so it may still be damaged. */
export type Inspection = {
  format: Format;
  mime: string;
  extension: string;
  /** Pixels, upright: as one sees the picture, not as the sensor wrote it. */
  width: number;
  height: number;
  /** Frames of an animation (GIF, WebP); 1 for a still, also for a TIFF of many pages, of which the first counts. */
  frames: number;
  hasAlpha: boolean;
  /** The Exif orientation (1 to 8) that is still to be applied; 1 for HEIC and AVIF, whose decoders turn them. */
  orientation: number;
  /** Bytes the decoder must hold at once, however small the result: what decides whether it runs alone. */
  heldBytes: number;
};

const LOADERS: Record<string, Format[]> = { heif: ['avif', 'heic'] };

/**
 * Tells format and size from the headers of `file` (a path) and refuses what exceeds the limits, in milliseconds
 * and before any pixel is decoded. Throws ImageError.
 */
export async function inspect(file: string): Promise<Inspection> {
  const format = sniff(await readHead(file));
  if (!format)
    throw new ImageError('format', 'Only JPEG, PNG, GIF, WebP, AVIF, TIFF and HEIC images are accepted');
  const metadata = await readMetadata(file);
  if (!loaderAgrees(metadata.format, format)) throw undecodable(`${format} loaded as ${metadata.format}`);
  if (format === 'tiff' && (await isRaw(file)))
    throw new ImageError('format', 'Camera raw files are not accepted');
  const inspection = describe(format, metadata);
  checkLimits(inspection, metadata);
  return inspection;
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readMetadata(file: string): Promise<Metadata> {
  try {
    return await sharp(file, INPUT).metadata();
  } catch (error) {
    throw undecodable(error);
  }
}

/** A polyglot may look like one format to us and like another to the decoder: neither is believed then. */
function loaderAgrees(loader: string, format: Format): boolean {
  return loader === format || LOADERS[loader]?.includes(format) === true;
}

function describe(format: Format, metadata: Metadata): Inspection {
  const { width, height } = metadata.autoOrient;
  const isAnimated = format === 'gif' || format === 'webp';
  return {
    format,
    ...FORMATS[format],
    width,
    height,
    frames: isAnimated ? (metadata.pages ?? 1) : 1,
    hasAlpha: metadata.hasAlpha,
    orientation: metadata.orientation ?? 1,
    heldBytes: Math.round(width * height * heldBytesPerPixel(format, metadata)),
  };
}

/** Bytes a decoder holds for each pixel, measured at 40 and 100 megapixels. What delivers rows holds next to nothing. */
const HELD_PER_PIXEL: Record<Format, number> = {
  jpeg: 1,
  png: 1,
  gif: 8,
  webp: 4,
  avif: 12,
  tiff: 4,
  heic: 12,
};

function heldBytesPerPixel(format: Format, metadata: Metadata): number {
  const sampleBytes = metadata.depth === 'uchar' ? 1 : 2;
  if (format === 'png' && metadata.isProgressive) return metadata.channels * sampleBytes;
  if (format === 'jpeg' && metadata.isProgressive) return metadata.channels * 2;
  return HELD_PER_PIXEL[format];
}

function checkLimits(inspection: Inspection, metadata: Metadata): void {
  const pixels = inspection.width * inspection.height;
  if (pixels > MAX_FRAME_PIXELS) throw tooLarge('it has more than 100 megapixels');
  if (pixels * inspection.frames > MAX_TOTAL_PIXELS)
    throw tooLarge('its frames have more than 250 megapixels together');
  if (inspection.frames > MAX_FRAMES) throw tooLarge('it has more than 1,000 frames');
  const isInterlacedPng = inspection.format === 'png' && metadata.isProgressive;
  if (isInterlacedPng && inspection.heldBytes > MAX_HELD_BYTES)
    throw tooLarge('it is interlaced, which holds all its pixels in memory at once');
}

function tooLarge(why: string): ImageError {
  return new ImageError('too-large', `The image is too large: ${why}`);
}
