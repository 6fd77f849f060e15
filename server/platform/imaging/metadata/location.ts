/** Reads the location of a photo from Exif. Accepts any values, because Exif comes from users' files. */

/** Exif tags by name, as ExifReader returns them. */
export type ReadTags = Partial<Record<string, { value: unknown }>>;

/** Location in degrees; north and east are positive. */
export interface GeoLocation {
  latitude: number;
  longitude: number;
}

/** Returns the location, or null unless both coordinates are complete and have a hemisphere. */
export function readLocation(tags: ReadTags): GeoLocation | null {
  const latitude = readDegrees(tags.GPSLatitude?.value, tags.GPSLatitudeRef?.value, 'NS', 90);
  const longitude = readDegrees(tags.GPSLongitude?.value, tags.GPSLongitudeRef?.value, 'EW', 180);
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** Returns signed degrees. `hemispheres` holds the letters of the positive and the negative hemisphere. */
function readDegrees(
  value: unknown,
  reference: unknown,
  hemispheres: string,
  max: number,
): number | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [whole, minutes, seconds] = value.map(readQuotient) as [number, number, number];
  const size = whole + minutes / 60 + seconds / 3600;
  // Coordinates that are NaN fail these comparisons, too.
  if (!(Math.min(whole, minutes, seconds) >= 0 && size <= max)) return undefined;
  const letter = Array.isArray(reference) ? reference[0] : reference;
  if (typeof letter !== 'string' || letter.length !== 1 || !hemispheres.includes(letter)) return undefined;
  const rounded = Math.round(size * 1e7) / 1e7;
  // The last digit is about a centimeter. Negative zero is avoided, because JSON cannot represent it.
  return letter === hemispheres[1] && rounded !== 0 ? -rounded : rounded;
}

function readQuotient(value: unknown): number {
  return Array.isArray(value) && value.length === 2 ? Number(value[0]) / Number(value[1]) : Number.NaN;
}
