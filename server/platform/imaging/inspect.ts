import { open } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import { currentCaller } from '../concurrency/fair-order.ts';
import type { FairQueue } from '../concurrency/fair-queue.ts';
import { within } from '../concurrency/within.ts';
import { decoderBytes } from './decoder-weights.ts';
import { heard, ImageError, isOfNoFormat, undecodable } from './errors.ts';
import { type Format, formats, sniff, sniffBytes } from './formats.ts';
import { defaultMegapixels, inspectSeconds, maxFrames, maxHeldBytes, maxTotalPixels } from './limits.ts';
import { checkPages, isRaw } from './metadata/tiff.ts';
import { checkPieces } from './pieces.ts';
import { inputOptions, sharp } from './sharp.ts';

/** What the headers say about a picture. It has not been decoded yet, so it may still be damaged. */
export interface Inspection {
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
  /** Channels of the decoded picture. */
  channels: number;
  /** Bytes the decoder must hold at once, however small the result (weights.ts). */
  heldBytes: number;
}

/** More than any decoder looks at to know its format. */
const formatBytes = 64 * 1024;

const loaders: Record<string, Format[]> = { heif: ['avif', 'heic'] };

/**
 * Tells format and size from the headers of `file` (a path) and refuses what exceeds the limits, in milliseconds
 * and before any pixel is decoded. Throws ImageError, or QueueFullError.
 */
export async function inspect(
  file: string,
  queue: FairQueue,
  maxMegapixels = defaultMegapixels,
): Promise<Inspection> {
  const format = sniff(await readHead(file, sniffBytes));
  if (!format)
    throw new ImageError('format', 'Only JPEG, PNG, GIF, WebP, AVIF, TIFF and HEIC images are accepted');
  // Before the decoder's own reader sees them.
  if (format === 'tiff') await checkPages(file);
  else await checkPieces(file, format);
  const metadata = await readMetadata(file, queue);
  if (!loaderAgrees(metadata.format, format)) throw undecodable(`${format} loaded as ${metadata.format}`);
  if (format === 'tiff' && (await isRaw(file)))
    throw new ImageError('format', 'Camera raw files are not accepted');
  const inspection = describe(format, metadata);
  checkLimits(inspection, metadata, maxMegapixels);
  return inspection;
}

async function readHead(file: string, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** sharp cannot be stopped here: the caller is answered in time, and the place in the queue is free when it ends. */
async function readMetadata(file: string, queue: FairQueue): Promise<Metadata> {
  const leave = await queue.enter(currentCaller());
  const answer = heard(() => sharp(file, inputOptions).metadata()).finally(leave);
  return within(inspectSeconds * 1000, answer, () => tooLarge('its headers take too long to read')).catch(
    async (error: unknown) => {
      if (isOfNoFormat(error) && !(await isOfKnownFormat(file)))
        throw new ImageError('format', 'The file is damaged or not an image', { cause: error });
      throw undecodable(error);
    },
  );
}

/** Asks the decoder by the first bytes in memory, for which it needs no descriptor. */
async function isOfKnownFormat(file: string): Promise<boolean> {
  const head = await readHead(file, formatBytes);
  return sharp(head, inputOptions)
    .metadata()
    .then(
      () => true,
      (error: unknown) => !isOfNoFormat(error),
    );
}

/** A polyglot may look like one format to us and like another to the decoder: neither is believed then. */
function loaderAgrees(loader: string, format: Format): boolean {
  return loader === format || loaders[loader]?.includes(format) === true;
}

function describe(format: Format, metadata: Metadata): Inspection {
  const { width, height } = metadata.autoOrient;
  const isAnimated = format === 'gif' || format === 'webp';
  return {
    format,
    ...formats[format],
    width,
    height,
    frames: isAnimated ? (metadata.pages ?? 1) : 1,
    hasAlpha: metadata.hasAlpha,
    orientation: metadata.orientation ?? 1,
    channels: metadata.channels,
    heldBytes: decoderBytes(format, metadata),
  };
}

function checkLimits(inspection: Inspection, metadata: Metadata, maxMegapixels: number): void {
  const pixels = inspection.width * inspection.height;
  if (pixels > maxMegapixels * 1e6) throw tooLarge(`it has more than ${maxMegapixels} megapixels`);
  if (pixels * inspection.frames > maxTotalPixels)
    throw tooLarge('its frames have more than 250 megapixels together');
  if (inspection.frames > maxFrames) throw tooLarge('it has more than 1,000 frames');
  const isInterlacedPng = inspection.format === 'png' && metadata.isProgressive;
  if (isInterlacedPng && inspection.heldBytes > maxHeldBytes)
    throw tooLarge('it is interlaced, which holds all its pixels in memory at once');
}

function tooLarge(why: string): ImageError {
  return new ImageError('too-large', `The image is too large: ${why}`);
}
