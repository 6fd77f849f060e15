/**
 * Schemas of the JSON files of an export, version 1. Comments and counts are only for people and other programs,
 * because `import` cannot restore them. Times are UTC, like `2026-03-01T09:30:00Z`, and flags are 0 or 1.
 */
import type { Static } from 'typebox';
import { findRuleProblem } from '../../gallery/albums/schema.ts';
import { visibilityField } from '../../gallery/library/level-fields.ts';
import { maxTags } from '../../gallery/library/tags.ts';
import { correctableFields } from '../../gallery/photos/metadata/fields.ts';
import { Location, nullableLocationField, ratingField } from '../../gallery/photos/metadata/schema.ts';
import { searchQueryField } from '../../gallery/photos/query/schema.ts';
import { newPhotoDescriptionField, newPhotoTitleField } from '../../gallery/photos/schema.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { choiceField, flagField, textField } from '../../platform/http/schema.ts';
import { maxEditSteps } from '../../platform/imaging/edits/actions.ts';
import { Type } from '../../platform/schema/type.ts';

export const exportVersion = 1;

const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' });
/** A count of an export. The maximum leaves room for further counting within the exact integers of JavaScript. */
const counter = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 });
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const commentFields = { username: Type.String(), content: Type.String(), create_time: time, likes: counter };

/** Schema of `<name of the photo's file>.json`, beside that file. */
export const PhotoJson = Type.Object({
  schema: Type.Literal('lightwell-photo'),
  version: Type.Literal(exportVersion),
  /** SHA-256 of the original, the file beside this one. */
  sha256,
  /** Name of the file that the owner uploaded. */
  file_name: Type.String({ maxLength: 1000 }),
  title: newPhotoTitleField,
  description: newPhotoDescriptionField,
  tags: Type.Array(textField(100, 'Tag'), { maxItems: maxTags }),
  is_public: flagField('1: public; 0: private or for members. A narrower album narrows the photo'),
  /** Level of the photo; absent in exports of earlier versions. */
  visibility: Type.Optional(visibilityField),
  create_time: time,
  update_time: time,
  taken_time: time,
  /** Place, rating, and names of the fields that the owner corrected; absent in exports of earlier versions. */
  location: Type.Optional(nullableLocationField('Place of capture')),
  rating: Type.Optional(ratingField('Rating')),
  corrected: Type.Optional(
    Type.Array(choiceField(correctableFields), { maxItems: correctableFields.length, uniqueItems: true }),
  ),
  /** Facts that did not come from the file itself. Times are wall clocks, except that of Google Takeout in UTC. */
  facts: Type.Optional(
    Type.Object({
      known_time: Type.Optional(time),
      takeout_time: Type.Optional(time),
      file_time: Type.Optional(time),
      takeout_location: Type.Optional(Location),
      /** Texts of an XMP file by the names of their properties. */
      sidecar: Type.Optional(
        Type.Record(
          Type.String({ pattern: '^[A-Za-z]{1,40}$' }),
          Type.Array(Type.String({ maxLength: 20_000 }), { maxItems: 1000 }),
          { maxProperties: 100 },
        ),
      ),
    }),
  ),
  /** Position of the photo in its album, in ascending order. */
  position: Type.Integer({ minimum: 0 }),
  /** Further albums that contain the photo by reference: the ids in their `album.json`, and the positions there. */
  references: Type.Optional(
    Type.Array(
      Type.Object({ album_id: Type.Integer({ minimum: 1 }), position: Type.Integer({ minimum: 0 }) }),
      { maxItems: 10_000 },
    ),
  ),
  /** Time when the photo was moved to the trash; absent for photos outside the trash. */
  delete_time: Type.Optional(time),
  edits: Type.Array(Type.Object({ action: Type.String(), params: Type.Unknown(), create_time: time }), {
    maxItems: maxEditSteps,
  }),
  views: counter,
  downloads: counter,
  likes: counter,
  favorites: counter,
  /** Like and favorite of the photo's owner; absent in exports of earlier versions. */
  is_liked: Type.Optional(flagField('1: the owner likes the photo')),
  is_favorited: Type.Optional(flagField("1: the photo is among the owner's favorites")),
  comments: Type.Array(Type.Object({ ...commentFields, replies: Type.Array(Type.Object(commentFields)) })),
});
export type PhotoJson = Static<typeof PhotoJson>;

/** Schema of `album.json` in the folder of an album. */
export const AlbumJson = Type.Object({
  schema: Type.Literal('lightwell-album'),
  version: Type.Literal(exportVersion),
  /** Id of the album in the exported gallery, which rules refer to; absent in exports of earlier versions. */
  id: Type.Optional(Type.Integer({ minimum: 1 })),
  name: Type.String({ minLength: 1, maxLength: 100, format: 'text' }),
  description: newPhotoDescriptionField,
  is_public: flagField('1: public; 0: private or for members. The level narrows everything in the album'),
  /** Level of the album; absent in exports of earlier versions. */
  visibility: Type.Optional(visibilityField),
  create_time: time,
  update_time: time,
  /** SHA-256 of the original of the chosen cover, or null if the cover is the newest photo. */
  cover_sha256: Type.Union([sha256, Type.Null()]),
  /** Rule of a smart album, whose photos are in other folders; absent in exports of earlier versions. */
  rule: Type.Optional(
    Type.Unsafe<string | null>({ ...searchQueryField, type: ['string', 'null'], rule: findRuleProblem }),
  ),
});
export type AlbumJson = Static<typeof AlbumJson>;

/** Schema of `lightwell.json` at the top of a user's export. */
export const ExportJson = Type.Object({
  schema: Type.Literal('lightwell-export'),
  version: Type.Literal(exportVersion),
  username: Type.String(),
  export_time: time,
  /** True for a complete export, and false while the export runs or after an interruption. */
  complete: Type.Boolean(),
  albums: counter,
  photos: counter,
  /**
   * Number of exported photos that are in the trash; absent in exports of earlier versions, which omitted the trash.
   */
  trashed: Type.Optional(counter),
});
export type ExportJson = Static<typeof ExportJson>;

/** Name of the top folder with the trashed photos, in subfolders for their albums. */
export const trashFolderName = 'Trash';
export const albumFileName = 'album.json';
export const exportFileName = 'lightwell.json';
/** Name of the file in an archive that lists missing originals, one per line. */
export const missingFileName = 'missing.txt';

/** Converts Unix seconds to the text in an export. `secondsOf` is the reverse. */
export function formatExportTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Converts the text in an export to Unix seconds. Throws invalid for a date that does not exist. */
export function parseExportTime(time: string): number {
  const seconds = Math.floor(Date.parse(time) / 1000);
  if (Number.isNaN(seconds)) throw errors.invalid({ message: `"${time}" is not a time` });
  return seconds;
}
