/** Reads the location of a photo from Exif and XMP. Accepts any values, because metadata comes from users' files. */
import { toSingleLineText } from './text.ts';

/** Exif tags by name, as ExifReader returns them. */
export type ExifTags = Partial<Record<string, { value: unknown }>>;

/** Location in degrees; north and east are positive. */
export interface GeoLocation {
  latitude: number;
  longitude: number;
}

/** Returns the location, or null unless both coordinates are complete and have a hemisphere. */
export function readGeoLocation(tags: ExifTags): GeoLocation | null {
  const latitude = readDegrees(tags.GPSLatitude?.value, tags.GPSLatitudeRef?.value, 'NS', 90);
  const longitude = readDegrees(tags.GPSLongitude?.value, tags.GPSLongitudeRef?.value, 'EW', 180);
  return createLocation(latitude, longitude);
}

/** Returns the location of XMP coordinates such as `48,53.323582N` or `48,53,19.4N`, or null. */
export function readXmpLocation(latitude: unknown, longitude: unknown): GeoLocation | null {
  return createLocation(readXmpDegrees(latitude, 'NS', 90), readXmpDegrees(longitude, 'EW', 180));
}

/** Android 13 replaces both coordinates by zeros to hide them, so that place is unknown. */
function createLocation(latitude: number | undefined, longitude: number | undefined): GeoLocation | null {
  if (latitude === undefined || longitude === undefined) return null;
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude };
}

/** Returns signed degrees. `hemispheres` holds the letters of the positive and the negative hemisphere. */
function readDegrees(
  value: unknown,
  reference: unknown,
  hemispheres: string,
  max: number,
): number | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const letter: unknown = Array.isArray(reference) ? reference[0] : reference;
  return signDegrees(value.map(readQuotient), letter, hemispheres, max);
}

function readXmpDegrees(value: unknown, hemispheres: string, max: number): number | undefined {
  const match = /^(\d{1,3}),(\d{1,2}(?:\.\d{1,12})?)(?:,(\d{1,2}(?:\.\d{1,12})?))?([NSEW])$/.exec(
    toSingleLineText(value),
  );
  return match
    ? signDegrees([match[1], match[2], match[3] ?? 0].map(Number), match[4], hemispheres, max)
    : undefined;
}

function signDegrees(parts: number[], letter: unknown, hemispheres: string, max: number): number | undefined {
  const [whole, minutes, seconds] = parts as [number, number, number];
  const size = whole + minutes / 60 + seconds / 3600;
  // Coordinates that are NaN fail these comparisons, too.
  if (!(Math.min(whole, minutes, seconds) >= 0 && size <= max)) return undefined;
  if (typeof letter !== 'string' || letter.length !== 1 || !hemispheres.includes(letter)) return undefined;
  const rounded = Math.round(size * 1e7) / 1e7;
  // The last digit is about a centimeter. Negative zero is avoided, because JSON cannot represent it.
  return letter === hemispheres[1] && rounded !== 0 ? -rounded : rounded;
}

function readQuotient(value: unknown): number {
  return Array.isArray(value) && value.length === 2 ? Number(value[0]) / Number(value[1]) : Number.NaN;
}
