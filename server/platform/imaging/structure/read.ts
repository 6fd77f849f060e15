import type { ByteWindow } from '../clean/byte-window.ts';
import { withByteWindow } from '../clean/byte-window.ts';
import { ImageError } from '../errors.ts';
import { formatSniffBytes, type ImageFormat, sniffImageFormat } from '../formats.ts';
import { defaultMegapixels } from '../limits.ts';
import { structureBounds } from './bounds.ts';
import { readGifStructure } from './gif.ts';
import { readHeifStructure } from './heif/heif.ts';
import { readJpegStructure } from './jpeg.ts';
import { readPngStructure } from './png/png.ts';
import { damagedFileError, tooLargeImageError } from './refusals.ts';
import type { PictureStructure } from './structure.ts';
import { readTiffStructure } from './tiff.ts';
import { readWebpStructure } from './webp.ts';

const readerByFormat: Record<
  ImageFormat,
  (bytes: ByteWindow, format: ImageFormat) => Promise<PictureStructure>
> = {
  jpeg: readJpegStructure,
  png: readPngStructure,
  gif: readGifStructure,
  webp: readWebpStructure,
  avif: readHeifStructure,
  heic: readHeifStructure,
  tiff: readTiffStructure,
};

/**
 * Reads the structure of `file` (a path) without a decoder, in milliseconds and limited memory. A truncated file is
 * accepted if its size can be read. `maxMegapixels` limits the pixels of one frame. Throws ImageError: 'format' for an
 * unaccepted or inconsistent file, 'too-large' for an exceeded limit.
 */
export async function readPictureStructure(
  file: string,
  maxMegapixels = defaultMegapixels,
): Promise<PictureStructure> {
  return await withByteWindow(file, async (bytes) => {
    const format = sniffImageFormat((await bytes.from(0, formatSniffBytes)).subarray(0, formatSniffBytes));
    if (!format)
      throw new ImageError('format', 'Only JPEG, PNG, GIF, WebP, AVIF, TIFF and HEIC images are accepted');
    const structure = await readerByFormat[format](bytes, format);
    checkSize(structure, maxMegapixels);
    return structure;
  });
}

function checkSize({ width, height, frames, decodedPixels }: PictureStructure, maxMegapixels: number): void {
  const pixels = width * height;
  if (pixels === 0) throw damagedFileError('no size');
  if (pixels > maxMegapixels * 1e6)
    throw tooLargeImageError(
      `it has ${Math.ceil(pixels / 1e6)} megapixels, but this server accepts ${maxMegapixels} (MAX_MEGAPIXELS)`,
    );
  if (pixels * frames > structureBounds.totalPixels)
    throw tooLargeImageError('its frames have more than 250 megapixels together');
  const isMuchMore =
    decodedPixels > Math.max(structureBounds.decodedAtLeast, pixels * structureBounds.decodedPerShown);
  if (isMuchMore || decodedPixels > structureBounds.totalPixels)
    throw tooLargeImageError('it stores far more pixels than it shows');
}
