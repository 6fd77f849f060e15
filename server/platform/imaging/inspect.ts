import { open } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import { currentCaller } from '../concurrency/fair-order.ts';
import type { FairQueue } from '../concurrency/fair-queue.ts';
import { within } from '../concurrency/within.ts';
import { decoderBytes } from './decoder-weights.ts';
import { heard, ImageError, isOfNoFormat, undecodable } from './errors.ts';
import { type Format, formats } from './formats.ts';
import { defaultMegapixels, inspectSeconds } from './limits.ts';
import { inputOptions, sharp } from './sharp.ts';
import { readStructure } from './structure/read.ts';
import { tooLarge } from './structure/refusals.ts';
import type { Structure } from './structure/structure.ts';

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
  // Before the decoder's own reader sees the file.
  const structure = await readStructure(file, maxMegapixels);
  const metadata = await readMetadata(file, queue);
  if (!loaderAgrees(metadata.format, structure.format))
    throw undecodable(`${structure.format} loaded as ${metadata.format}`);
  const inspection = describe(structure, metadata);
  checkAgreement(structure, inspection);
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

function describe({ format, decodedPixels }: Structure, metadata: Metadata): Inspection {
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
    heldBytes: decoderBytes(format, metadata, decodedPixels),
  };
}

/** The limits hold for what the structure says: a decoder that finds more in the file is not believed. */
function checkAgreement(structure: Structure, { width, height, frames }: Inspection): void {
  const isMore = width * height > structure.width * structure.height || frames > structure.frames;
  if (isMore) throw undecodable('the decoder finds more pixels than the structure says');
}
