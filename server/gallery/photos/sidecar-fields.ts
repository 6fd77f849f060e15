/** Fields of an upload with what other programs say about the photo. They are no corrections by the owner. */
import type { FileFacts } from '../../platform/imaging/metadata/fields.ts';
import { parseFileTime } from '../../platform/imaging/metadata/wall-clock.ts';
import { Type } from '../../platform/schema/type.ts';

/** Maximum characters of XMP. The fields of a resumable upload are in one header, which the server limits. */
const maxXmp = 8000;

export const sidecarFields = {
  utc_time: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Capture time in UTC that another program knows, such as Google Takeout, `YYYY-MM-DD HH:MM:SS`. Counts if ' +
        'the file has no time, and is moved to the time zone of the place',
      examples: ['2026-03-01 08:30:00'],
      rule: (text: string) =>
        parseFileTime(text) === undefined ? 'Must be a time such as 2026-03-01 08:30:00' : undefined,
    }),
  ),
  place: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Latitude and longitude in degrees that another program knows. Counts if the file has no place. Only the ' +
        'owner and admins see the place',
      examples: ['46.5,7.96'],
      rule: (text: string) =>
        parsePlace(text) ? undefined : 'Must be latitude and longitude in degrees, such as 46.5,7.96',
    }),
  ),
  xmp: Type.Optional(
    Type.String({
      maxLength: maxXmp,
      description:
        'XMP file beside the photo. Its title, description, tags, time and place count before those of the file',
    }),
  ),
};

/** The schema has checked the fields. */
export function readSidecarFacts({ utc_time, place }: { utc_time?: string; place?: string }): FileFacts {
  return {
    ...(utc_time !== undefined && { takeoutTime: parseFileTime(utc_time) }),
    ...(place !== undefined && { takeoutLocation: parsePlace(place) }),
  };
}

const placePattern = /^\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*$/;

/** The place 0, 0 means that a program knows none. */
function parsePlace(text: string): FileFacts['takeoutLocation'] {
  const [latitude, longitude] = (placePattern.exec(text) ?? []).slice(1).map(Number);
  if (latitude === undefined || longitude === undefined) return undefined;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}
