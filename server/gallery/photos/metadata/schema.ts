/** Schemas of the fields that an owner corrects: date, place and rating. */
import type { Static } from 'typebox';
import type { ValueRule } from '../../../platform/http/ajv.ts';
import { choiceField, nullableField, wallClockField } from '../../../platform/http/schema.ts';
import { parseFileTime } from '../../../platform/imaging/metadata/wall-clock.ts';
import { Type } from '../../../platform/schema/type.ts';
import { type CorrectableField, correctableFields } from './fields.ts';

export const Location = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, examples: [46.0207] }),
    longitude: Type.Number({ minimum: -180, maximum: 180, examples: [7.7491] }),
  },
  { title: 'Location', description: 'Degrees; north and east are positive' },
);
export type Location = Static<typeof Location>;

export const nullableLocationField = (description: string) =>
  Type.Unsafe<Location | null>({ anyOf: [Location, { type: 'null' }], description });

const ratingRange = { minimum: 0, maximum: 5, examples: [4] };
export const ratingField = (description: string) => Type.Integer({ ...ratingRange, description });

const timeInput = (description: string) =>
  Type.String({
    maxLength: 100,
    description,
    examples: ['2026-03-01 09:30:00'],
    rule: (text: string) =>
      parseFileTime(text) === undefined ? 'Must be a time such as 2026-03-01 09:30:00' : undefined,
  });

export const fileTimeField = timeInput(
  "Time of the file's last change by the client's clock, `YYYY-MM-DD HH:MM:SS`. The last resort for " +
    '`taken_time`, if the file and its name have no time',
);
const newTakenTimeField = timeInput(
  'Time of capture by the clock of the place where the photo was taken; YYYY-MM-DD HH:MM:SS',
);

export const correctionInputs = {
  taken_time: Type.Optional(newTakenTimeField),
  location: Type.Optional(nullableLocationField('Place of capture; null: no place')),
  rating: Type.Optional(nullableField(ratingField('Rating from 1 to 5; 0 or null: none'), 0)),
};

export const fromFileField = Type.Array(choiceField(correctableFields, { title: 'CorrectableField' }), {
  maxItems: correctableFields.length,
  uniqueItems: true,
  description:
    'Fields that get the values of the file, which takes corrections back. `taken_time` becomes the time of ' +
    'upload if the file has none. Not together with a new value of the same field',
  examples: [['taken_time', 'location']],
});

/** Refuses a field that has a new value and shall get the value of the file. */
export const refuseDoubleFields: ValueRule = (update: Record<string, unknown>) => {
  const { from_file } = update;
  if (!Array.isArray(from_file)) return undefined;
  const double = from_file.filter((field: CorrectableField) => update[field] !== undefined);
  return double.length > 0
    ? { from_file: `Must not name fields with a new value: ${double.join()}` }
    : undefined;
};

/** Values of the file that differ from those of the photo. */
export const FileValues = Type.Object(
  {
    taken_time: Type.Optional(
      Type.Unsafe<string | null>({ ...wallClockField('Time of capture'), type: ['string', 'null'] }),
    ),
    location: Type.Optional(nullableLocationField('Place of capture')),
    rating: Type.Optional(ratingField('Rating')),
    title: Type.Optional(Type.String({ examples: ['Moonrise'] })),
    description: Type.Optional(Type.String({ examples: ['Above the village, in March'] })),
    tags: Type.Optional(Type.Array(Type.String({ examples: ['alps'] }))),
  },
  {
    title: 'FileValues',
    description:
      'What the file says where the photo has other values, because its owner corrected or chose them. null, ' +
      'or a rating of 0: the file has no such value. `from_file` takes these values over',
  },
);
export type FileValues = Static<typeof FileValues>;
