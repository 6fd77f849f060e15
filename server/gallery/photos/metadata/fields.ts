/** The fields of a photo that its file can fill and its owner can correct. */
import type { PhotoRow } from '../../../platform/db/tables.ts';
import type { GeoLocation } from '../../../platform/imaging/metadata/location.ts';

export const correctableFields = [
  'taken_time',
  'location',
  'rating',
  'title',
  'description',
  'tags',
] as const;
export type CorrectableField = (typeof correctableFields)[number];

/** Values of a photo that count. `taken_time` is a wall clock in seconds. */
export interface PhotoFields {
  taken_time: number;
  location: GeoLocation | null;
  rating: number;
  title: string;
  description: string;
  tags: string[];
}

/** Values of a file. Null, 0, '' and an empty list mean that the file does not say. */
export type FileFields = Omit<PhotoFields, 'taken_time'> & { taken_time: number | null };

type FieldColumns = Pick<
  PhotoRow,
  'taken_time' | 'latitude' | 'longitude' | 'rating' | 'title' | 'description' | 'tags'
>;

/** Returns the fields of a photo's row, or of the row of its file. */
export function parseFields<Time>({
  taken_time,
  latitude,
  longitude,
  rating,
  title,
  description,
  tags,
}: Omit<FieldColumns, 'taken_time'> & { taken_time: Time }) {
  const location = latitude === null || longitude === null ? null : { latitude, longitude };
  return { taken_time, location, rating, title, description, tags: JSON.parse(tags) as string[] };
}

/** Returns the columns of a photo's row for its fields, except those of the title, which is also stored folded. */
export function toFieldColumns({ location, tags, ...fields }: PhotoFields): FieldColumns {
  return {
    ...fields,
    tags: JSON.stringify(tags),
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
  };
}

/** Returns a place with seven digits after the point, about a centimeter, as the reader of files returns it. */
export function roundLocation({ latitude, longitude }: GeoLocation): GeoLocation {
  // Adding 0 turns a negative zero into zero.
  const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7 + 0;
  return { latitude: round(latitude), longitude: round(longitude) };
}

/** Returns whether the file of a photo has a value for a field. */
export function isInFile(file: FileFields, field: CorrectableField): boolean {
  const value = file[field];
  return Array.isArray(value) ? value.length > 0 : Boolean(value) || (field === 'taken_time' && value === 0);
}

/** Returns the fields without repetitions, in the order of `correctableFields`. */
export function sortFields(fields: CorrectableField[]): CorrectableField[] {
  return correctableFields.filter((field) => fields.includes(field));
}
