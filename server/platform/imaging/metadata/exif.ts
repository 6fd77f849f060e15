import { createRequire } from 'node:module';
import type ExifReader from 'exifreader';
import { undecodable } from '../errors.ts';
import type { Format } from '../formats.ts';
import { maxExifBytes } from '../limits.ts';
import { inputOptions, sharp } from '../sharp.ts';
import { camera, fNumber, focalLength, isoSpeed, lens, shutterTime, takenTime } from './exif-text.ts';
import { type Location, location, type ReadTags } from './location.ts';
import { readTiffTags } from './tiff.ts';

const require = createRequire(import.meta.url);

/** What a photo says about how it was taken; `""`, 0 and null where it says nothing. */
export interface Exif {
  /** Maker and model, the maker not said twice, at most 100 characters. */
  camera: string;
  /** `f/2.8` */
  aperture: string;
  /** `1/125`, or `2` for two seconds */
  shutter: string;
  iso: number;
  /** Unix seconds; the camera's local time is taken as UTC where the file gives no offset. */
  takenTime: number | null;
  /** The lens's model, at most 100 characters. */
  lens: string;
  /** Millimetres, of the lens itself and not of its equivalent. */
  focalLength: number;
  /** Where it was taken: for its owner and admins alone. */
  location: Location | null;
}

/**
 * The tags that are kept. Nothing else is parsed: maker notes, thumbnails and XMP cost time and tell too much.
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

/** Never throws for a picture that decodes, whatever its Exif block looks like. */
export async function readExif(file: string, format: Format): Promise<Exif> {
  const source = format === 'tiff' ? file : await readExifBlock(file);
  const block = source && (await readTiffTags(source));
  const tags = block ? parse(block) : {};
  return {
    camera: camera(tags.Make?.value, tags.Model?.value),
    aperture: fNumber(tags.FNumber?.value),
    shutter: shutterTime(tags.ExposureTime?.value),
    iso: isoSpeed(tags.ISOSpeedRatings?.value),
    takenTime: takenTime(tags.DateTimeOriginal?.value, tags.OffsetTimeOriginal?.value),
    lens: lens(tags.LensModel?.value),
    focalLength: focalLength(tags.FocalLength?.value),
    location: location(tags),
  };
}

/** The Exif block as a small TIFF, which is what it is inside every format. */
async function readExifBlock(file: string): Promise<Buffer | undefined> {
  const { exif } = await sharp(file, inputOptions)
    .metadata()
    .catch((error: unknown) => {
      throw undecodable(error);
    });
  const block = exif?.subarray(0, maxExifBytes);
  return block?.toString('latin1', 0, 6) === 'Exif\0\0' ? block.subarray(6) : block;
}

/** Loaded with the first picture, as sharp is. */
function parse(block: Buffer): ReadTags {
  const reader = require('exifreader') as typeof ExifReader;
  try {
    return reader.load(block, { includeTags: { exif: wantedTags } });
  } catch {
    return {};
  }
}
