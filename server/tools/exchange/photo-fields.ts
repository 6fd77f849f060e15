/** The fields of a photo beside its texts in the JSON of an export: date, place, rating, and their sources. */
import { roundLocation } from '../../gallery/photos/metadata/fields.ts';
import type { PhotoMetadata } from '../../gallery/photos/metadata/store.ts';
import type { ExportedFields } from '../../gallery/photos/upload/insert.ts';
import type { PhotoRow } from '../../platform/db/tables.ts';
import type { FileFacts } from '../../platform/imaging/metadata/fields.ts';
import { formatExportTime, type PhotoJson, parseExportTime } from './schema.ts';

type FieldsJson = Pick<PhotoJson, 'taken_time' | 'location' | 'rating' | 'corrected' | 'facts'>;

export function describeFields(
  photo: Pick<PhotoRow, 'taken_time' | 'latitude' | 'longitude' | 'rating'>,
  { corrected, facts }: PhotoMetadata,
): FieldsJson {
  const { latitude, longitude } = photo;
  return {
    taken_time: formatExportTime(photo.taken_time),
    location: latitude === null || longitude === null ? null : { latitude, longitude },
    rating: photo.rating,
    corrected,
    facts: describeFacts(facts),
  };
}

function describeFacts({ knownTime, takeoutTime, fileTime, takeoutLocation, sidecar }: FileFacts) {
  return {
    ...(knownTime !== undefined && { known_time: formatExportTime(knownTime) }),
    ...(takeoutTime !== undefined && { takeout_time: formatExportTime(takeoutTime) }),
    ...(fileTime !== undefined && { file_time: formatExportTime(fileTime) }),
    ...(takeoutLocation && { takeout_location: takeoutLocation }),
    ...(sidecar && { sidecar }),
  };
}

/** Returns the fields that an export gives a photo. Throws invalid for a date that does not exist. */
export function parseExportedFields(photo: FieldsJson): { exported: ExportedFields; facts: FileFacts } {
  const { taken_time, location, rating, corrected = [], facts = {} } = photo;
  const parse = (time: string | undefined) => (time === undefined ? undefined : parseExportTime(time));
  return {
    exported: {
      taken_time: parseExportTime(taken_time),
      location: location && roundLocation(location),
      rating,
      corrected,
    },
    facts: {
      knownTime: parse(facts.known_time),
      takeoutTime: parse(facts.takeout_time),
      fileTime: parse(facts.file_time),
      takeoutLocation: facts.takeout_location,
      sidecar: facts.sidecar,
    },
  };
}
