import type { Metadata } from 'sharp';
import { ImageError } from '../errors.ts';
import type { ImageFormat } from '../formats.ts';
import type { ExpectedPicture, InspectedPicture } from '../jobs.ts';
import type { MetadataBlocks } from './metadata/blocks.ts';
import { sharp, sharpInputOptions } from './sharp.ts';

const formatsByLoader: Record<string, ImageFormat[]> = { heif: ['avif', 'heic'] };

/** Facts from a file's headers, and its blocks of metadata. The picture is not decoded yet and may be damaged. */
export interface PictureHeaders {
  inspected: InspectedPicture;
  blocks: MetadataBlocks;
  /** Whether the file has a color profile and 16 bits per sample. */
  isDeep: boolean;
}

/**
 * Reads the headers. Throws ImageError if the decoder finds another format or more pixels than the structure promised.
 */
export async function readPictureHeaders(file: string, expected: ExpectedPicture): Promise<PictureHeaders> {
  const metadata = await sharp(file, sharpInputOptions).metadata();
  if (!loaderAgrees(metadata.format, expected.format))
    throw createDamagedError(`${expected.format} loaded as ${metadata.format}`);
  const inspected = describeImage(expected.format, metadata);
  const { width, height, frames } = inspected;
  if (width * height > expected.pixels || frames > expected.frames)
    throw createDamagedError(
      `${width} by ${height} and ${frames} frames are more than the file structure announced`,
    );
  const { exif, xmp, iptc, icc, depth } = metadata;
  return { inspected, blocks: { exif, xmp, iptc }, isDeep: icc !== undefined && depth === 'ushort' };
}

const createDamagedError = (cause: string) =>
  new ImageError('format', 'The file is damaged or not an image', { cause });

/** Whether sharp and our own check agree on the format. A polyglot file may look different to each and is refused. */
function loaderAgrees(loader: string, format: ImageFormat): boolean {
  return loader === format || formatsByLoader[loader]?.includes(format) === true;
}

function describeImage(format: ImageFormat, metadata: Metadata): InspectedPicture {
  const { width, height } = metadata.autoOrient;
  const isAnimated = format === 'gif' || format === 'webp';
  return {
    width,
    height,
    frames: isAnimated ? (metadata.pages ?? 1) : 1,
    hasAlpha: metadata.hasAlpha,
    orientation: metadata.orientation ?? 1,
  };
}
