/** Inputs and outputs of the photo endpoints. */
import { type Static, Type } from 'typebox';
import { pageQuery } from '../http/pagination.ts';
import { flagField, idField, textField } from '../http/schema.ts';

export const titleField = textField(200, 'Title');
export const descriptionField = textField(2000, 'Description');
const isPublic = flagField('1 public, 0 private');
const time = Type.String({ description: 'UTC, YYYY-MM-DD HH:MM:SS', examples: ['2026-03-01 09:30:00'] });
const path = (what: string) => Type.String({ description: `Path of ${what}, below /storage/` });
const counter = Type.Integer({ minimum: 0 });

export const mostTags = 30;
export const mostTagLength = 50;

const tagList = Type.Array(Type.String({ maxLength: mostTagLength + 50, format: 'text' }), {
  maxItems: 1000,
  description: `At most ${mostTags} tags of at most ${mostTagLength} characters; trimmed, duplicates dropped`,
});

/** The text fields of the upload's form, as they arrive. */
export const UploadFields = Type.Object({
  title: Type.Optional(titleField),
  description: Type.Optional(descriptionField),
  album_id: Type.Optional(idField('album')),
  tags: Type.Optional(
    Type.String({
      maxLength: 10_000,
      format: 'text',
      description: 'Separated by commas',
      examples: ['alps, winter'],
    }),
  ),
  is_public: Type.Optional(isPublic),
});
export type UploadFields = Static<typeof UploadFields>;

export const PhotoUpdate = Type.Object(
  {
    title: Type.Optional(titleField),
    description: Type.Optional(descriptionField),
    album_id: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Id of an own album; null or 0 takes the photo out of its album',
      }),
    ),
    tags: Type.Optional(tagList),
    is_public: Type.Optional(isPublic),
  },
  { examples: [{ title: 'Moonrise', tags: ['moon', 'village'], is_public: 1 }] },
);
export type PhotoUpdate = Static<typeof PhotoUpdate>;

export const sortNames = [
  'create_time',
  'update_time',
  'taken_time',
  'views',
  'likes',
  'favorites',
  'downloads',
  'size',
  'title',
] as const;
export type SortName = (typeof sortNames)[number];

export const dayField = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-03-01'] });

export const ListQuery = pageQuery({
  sort: Type.Unsafe<SortName>({ type: 'string', enum: [...sortNames], default: 'create_time' }),
  order: Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
  album_id: Type.Optional(idField('album')),
  user_id: Type.Optional(idField('owner')),
  tag: Type.Optional(textField(mostTagLength, 'Photos with this tag, without regard to case')),
  keyword: Type.Optional(
    textField(100, 'Substring of title, description or a tag, in any script, without regard to case'),
  ),
  date_from: Type.Optional(dayField('First day of create_time (UTC)')),
  date_to: Type.Optional(dayField('Last day of create_time (UTC)')),
  is_public: Type.Optional(flagField("One's own photos that are public (1) or private (0); needs a token")),
});
export type ListQuery = Static<typeof ListQuery>;

const Owner = { id: Type.Integer(), username: Type.String(), avatar: Type.String() };

const size = {
  width: Type.Integer({ description: 'Upright, pixels' }),
  height: Type.Integer({ description: 'Upright, pixels' }),
};

export const PhotoItem = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  thumb: path('the thumbnail (400 px)'),
  views: counter,
  likes: counter,
  favorites: counter,
  comments: counter,
  user: Type.Object(Owner),
  create_time: time,
  ...size,
  placeholder: Type.String({ description: 'ThumbHash, base64' }),
});
export type PhotoItem = Static<typeof PhotoItem>;

export const Exif = Type.Object({
  camera: Type.String({ examples: ['Canon EOS 500D'] }),
  aperture: Type.String({ examples: ['f/2.8'] }),
  shutter: Type.String({ description: 'Seconds', examples: ['1/125'] }),
  iso: Type.Integer({ description: '0 when the file does not say' }),
});

export const Photo = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  path: path('the picture in full size, without its metadata'),
  preview: path('the preview (1,600 px)'),
  thumb: path('the thumbnail (400 px)'),
  ...size,
  size: Type.Integer({ description: 'Bytes' }),
  placeholder: Type.String({ description: 'ThumbHash, base64' }),
  views: counter,
  likes: counter,
  favorites: counter,
  comments: counter,
  downloads: counter,
  is_liked: Type.Boolean(),
  is_favorited: Type.Boolean(),
  tags: Type.Array(Type.String()),
  exif: Exif,
  user: Type.Object({
    id: Type.Integer(),
    username: Type.String(),
    nickname: Type.String(),
    avatar: Type.String(),
  }),
  album: Type.Unsafe<{ id: number; name: string } | null>({
    anyOf: [Type.Object({ id: Type.Integer(), name: Type.String() }), { type: 'null' }],
  }),
  is_public: Type.Integer({ description: '1 public, 0 private' }),
  create_time: time,
});
export type Photo = Static<typeof Photo>;

export const Uploaded = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  path: path('the picture in full size'),
  thumb: path('the thumbnail'),
  ...size,
  size: Type.Integer({ description: 'Bytes' }),
});

export const Liked = Type.Object({ is_liked: Type.Boolean(), likes: counter });
export const Favorited = Type.Object({ is_favorited: Type.Boolean(), favorites: counter });
export const Edited = Type.Object({ path: path('the edited image') });

export const EditSteps = Type.Object({
  list: Type.Array(
    Type.Object({
      id: Type.Integer(),
      action: Type.String(),
      params: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      create_time: time,
    }),
  ),
});

export const Revert = Type.Object({
  edit_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Left out: back to the original',
    }),
  ),
});
export type Revert = Static<typeof Revert>;
