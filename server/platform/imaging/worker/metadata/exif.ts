import ExifReader from 'exifreader';
import type { ImageFormat } from '../../formats.ts';
import type { Exif } from '../../jobs.ts';
import { maxExifBytes } from '../../limits.ts';
import {
  formatAperture,
  formatCamera,
  formatLens,
  formatShutterTime,
  parseTakenTime,
  readIsoSpeed,
  roundFocalLength,
} from '../../metadata/exif-text.ts';
import { type ReadTags, readLocation } from '../../metadata/location.ts';
import { readTiffTags } from '../../metadata/tiff.ts';

/**
 * Exif tags that are read. Maker notes, thumbnails and XMP are not parsed, because they cost time and reveal too much.
 */
const wantedTags = [
  'Make',
  'Model',
  'FNumber',
  'ExposureTime',
  'ISOSpeedRatings',
  'DateTimeOriginal',
  'OffsetTimeOriginal',
  'FocalLength',
  'LensModel',
  'GPSLatitudeRef',
  'GPSLatitude',
  'GPSLongitudeRef',
  'GPSLongitude',
];

/**
 * Reads the Exif data of a picture. `exif` is the Exif block, or undefined if there is none; a TIFF is read from its
 * file. Never throws for a picture that can be decoded, whatever its Exif data contains.
 */
export async function readExif(file: string, format: ImageFormat, exif: Buffer | undefined): Promise<Exif> {
  const source = format === 'tiff' ? file : readBlock(exif);
  const block = source && (await readTiffTags(source));
  const tags = block ? parseExifBlock(block) : {};
  return {
    camera: formatCamera(tags.Make?.value, tags.Model?.value),
    aperture: formatAperture(tags.FNumber?.value),
    shutter: formatShutterTime(tags.ExposureTime?.value),
    iso: readIsoSpeed(tags.ISOSpeedRatings?.value),
    takenTime: parseTakenTime(tags.DateTimeOriginal?.value, tags.OffsetTimeOriginal?.value),
    lens: formatLens(tags.LensModel?.value),
    focalLength: roundFocalLength(tags.FocalLength?.value),
    location: readLocation(tags),
  };
}

/** Returns the block as a small TIFF, its form inside every format. */
function readBlock(exif: Buffer | undefined): Buffer | undefined {
  const block = exif?.subarray(0, maxExifBytes);
  return block?.toString('latin1', 0, 6) === 'Exif\0\0' ? block.subarray(6) : block;
}

function parseExifBlock(block: Buffer): ReadTags {
  try {
    return ExifReader.load(block, { includeTags: { exif: wantedTags } });
  } catch {
    return {};
  }
}
