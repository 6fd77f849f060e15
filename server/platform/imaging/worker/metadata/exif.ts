import ExifReader from 'exifreader';
import type { ImageFormat } from '../../formats.ts';
import { maxExifBytes } from '../../limits.ts';
import type { ExifTags } from '../../metadata/location.ts';
import { readTiffTags } from '../../metadata/tiff.ts';

/**
 * Reads the Exif tags of a picture. `exif` is the Exif block, or undefined if there is none; a TIFF is read from its
 * file. `readTiffTags` selects the tags. Never throws for a picture that can be decoded, whatever its Exif data
 * contains.
 */
export async function readExif(
  file: string,
  format: ImageFormat,
  exif: Buffer | undefined,
): Promise<ExifTags> {
  const source = format === 'tiff' ? file : readBlock(exif);
  const block = source && (await readTiffTags(source));
  return block ? parseExifBlock(block) : {};
}

/** Returns the block as a small TIFF, its form inside every format. */
function readBlock(exif: Buffer | undefined): Buffer | undefined {
  const block = exif?.subarray(0, maxExifBytes);
  return block?.toString('latin1', 0, 6) === 'Exif\0\0' ? block.subarray(6) : block;
}

function parseExifBlock(block: Buffer): ExifTags {
  try {
    return ExifReader.load(block);
  } catch {
    return {};
  }
}
