/** Where a picture was taken. Like exif-text.ts it takes whatever a file holds. */

/** By name, as the reader gives them. */
export type ReadTags = Partial<Record<string, { value: unknown }>>;

/** Degrees: north and east are positive. */
export interface Location {
  latitude: number;
  longitude: number;
}

/** Null unless both coordinates are said in full, each with its hemisphere. */
export function location(tags: ReadTags): Location | null {
  const latitude = degrees(tags.GPSLatitude?.value, tags.GPSLatitudeRef?.value, 'NS', 90);
  const longitude = degrees(tags.GPSLongitude?.value, tags.GPSLongitudeRef?.value, 'EW', 180);
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** `hemispheres`: the positive one and the negative one. */
function degrees(value: unknown, reference: unknown, hemispheres: string, max: number): number | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [whole, minutes, seconds] = value.map(quotient) as [number, number, number];
  const size = whole + minutes / 60 + seconds / 3600;
  // What is not a number is not within, either.
  if (!(Math.min(whole, minutes, seconds) >= 0 && size <= max)) return undefined;
  const letter = Array.isArray(reference) ? reference[0] : reference;
  if (typeof letter !== 'string' || letter.length !== 1 || !hemispheres.includes(letter)) return undefined;
  const rounded = Math.round(size * 1e7) / 1e7;
  // A centimetre; and no negative zero, which JSON does not know.
  return letter === hemispheres[1] && rounded !== 0 ? -rounded : rounded;
}

function quotient(value: unknown): number {
  return Array.isArray(value) && value.length === 2 ? Number(value[0]) / Number(value[1]) : Number.NaN;
}
