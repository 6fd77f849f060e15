/**
 * The JSON files of an export, version 1. `import` reads them back; what it cannot bring back (comments, counts) is
 * there for people and other programs. Times are UTC, `2026-03-01T09:30:00Z`; flags are 0 or 1.
 */
import type { Static } from 'typebox';
import { ruleProblem } from '../../gallery/albums/schema.ts';
import { maxTags } from '../../gallery/library/tags.ts';
import { descriptionField, queryField, titleField } from '../../gallery/photos/schema.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { flagField, textField } from '../../platform/http/schema.ts';
import { maxSteps } from '../../platform/imaging/edits/actions.ts';
import { Type } from '../../platform/schema/type.ts';

export const exportVersion = 1;

const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' });
const counter = Type.Integer({ minimum: 0 });
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const said = { username: Type.String(), content: Type.String(), create_time: time, likes: counter };

/** `<name of the photo's file>.json`, beside it. */
export const PhotoFile = Type.Object({
  schema: Type.Literal('lightwell-photo'),
  version: Type.Literal(exportVersion),
  /** Of the original, whose bytes the file beside this one has. */
  sha256,
  /** What its owner's file was called. */
  file_name: Type.String({ maxLength: 1000 }),
  title: titleField,
  description: descriptionField,
  tags: Type.Array(textField(100, 'Tag'), { maxItems: maxTags }),
  is_public: flagField('1 public, 0 private; a private album hides it, too'),
  create_time: time,
  update_time: time,
  taken_time: time,
  /** Its place in the album: smaller comes first. */
  position: Type.Integer({ minimum: 0 }),
  /** When it was put into the trash, where it still is; left out for others. */
  delete_time: Type.Optional(time),
  edits: Type.Array(Type.Object({ action: Type.String(), params: Type.Unknown(), create_time: time }), {
    maxItems: maxSteps,
  }),
  views: counter,
  downloads: counter,
  likes: counter,
  favorites: counter,
  /** Whether its owner likes it, and has it among the favorites; left out by earlier versions. */
  is_liked: Type.Optional(flagField('1: its owner likes it')),
  is_favorited: Type.Optional(flagField("1: it is among its owner's favorites")),
  comments: Type.Array(Type.Object({ ...said, replies: Type.Array(Type.Object(said)) })),
});
export type PhotoFile = Static<typeof PhotoFile>;

/** `album.json`, in the folder of the album. */
export const AlbumFile = Type.Object({
  schema: Type.Literal('lightwell-album'),
  version: Type.Literal(exportVersion),
  /** In the gallery that it was exported from: what rules name it by; left out by earlier versions. */
  id: Type.Optional(Type.Integer({ minimum: 1 })),
  name: Type.String({ minLength: 1, maxLength: 100, format: 'text' }),
  description: descriptionField,
  is_public: flagField('1 public, 0 private: hides everything in it, too'),
  create_time: time,
  update_time: time,
  /** The original of the photo that its owner chose for the cover; null: the newest one. */
  cover_sha256: Type.Union([sha256, Type.Null()]),
  /** Of a smart album, whose photos lie elsewhere; left out by earlier versions. */
  rule: Type.Optional(
    Type.Unsafe<string | null>({ ...queryField, type: ['string', 'null'], rule: ruleProblem }),
  ),
});
export type AlbumFile = Static<typeof AlbumFile>;

/** `lightwell.json`, at the top of what one user has. */
export const ExportFile = Type.Object({
  schema: Type.Literal('lightwell-export'),
  version: Type.Literal(exportVersion),
  username: Type.String(),
  export_time: time,
  /** false while an export is under way, or where it was interrupted. */
  complete: Type.Boolean(),
  albums: counter,
  photos: counter,
  /** Of them in the trash; left out by earlier versions, which had none of it. */
  trashed: Type.Optional(counter),
});
export type ExportFile = Static<typeof ExportFile>;

/** At the top: photos in the trash, in the folders of their albums. */
export const trashFolderName = 'Trash';
export const albumFileName = 'album.json';
export const exportFileName = 'lightwell.json';
/** In an archive: originals that could not be put in, a line each. */
export const missingFileName = 'missing.txt';

/** Unix seconds ↔ text. */
export function exportTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Throws invalid for a day that no calendar has. */
export function secondsOf(time: string): number {
  const seconds = Math.floor(Date.parse(time) / 1000);
  if (Number.isNaN(seconds)) throw errors.invalid({ message: `"${time}" is no time` });
  return seconds;
}
