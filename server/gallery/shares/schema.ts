/** Schemas of the requests and responses of the share routes. */

import type { Static } from 'typebox';
import { Pagination } from '../../platform/http/envelope.ts';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import {
  choiceField,
  idField,
  nullableField,
  timeField,
  timeOrEmptyField,
} from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { Album, ArchiveQuery } from '../albums/schema.ts';
import { imagePathField } from '../delivery/schema.ts';
import { AlbumName, Photo, PhotoItem } from '../photos/schema.ts';
import { maxSharedChildAlbums } from './inner-albums.ts';

const shareRuleFields = {
  expires: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 3650,
      description: 'Days until the link expires; null: never',
    }),
  ),
  password: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 128,
      description: 'Password of the link; null: none',
    }),
  ),
  allow_download: Type.Optional(
    nullableField(
      Type.Boolean({
        description:
          'Whether visitors can download. false: the link shows previews only, without full size and ' +
          'ZIP. Left out for a new link, or null: true',
      }),
      true,
    ),
  ),
  max_views: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 1_000_000_000,
      description:
        'Maximum number of views. A visitor who opened the link can continue for an hour, with ' +
        '`access` of the response or in the same browser. A download without `access` counts as a ' +
        'view; so does the rest of an interrupted one. A maximum that is already reached ends the ' +
        'link. null: no limit',
    }),
  ),
};

export const NewShare = Type.Object(
  {
    type: choiceField(['link', 'qrcode'], {
      description: 'Intended use of the link; the response always has both forms',
    }),
    ...shareRuleFields,
  },
  { title: 'NewShare', examples: [{ type: 'link', expires: 7, password: 'blue heron' }] },
);
export type NewShare = Static<typeof NewShare>;

export const ShareUpdate = Type.Object(shareRuleFields, {
  title: 'ShareUpdate',
  description: 'Fields that are left out keep their values',
  examples: [{ expires: 30, max_views: null }],
});

const url = Type.String({
  description: 'URL of the page that shows the photo or album',
  examples: ['https://photos.example.org/s/1qBz0w9mCk3TnV5yXeRjUoLpGdHsAiFbWtKcYvZuN4M'],
});

export const CreatedShare = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the share, for DELETE /api/shares/{id}' }),
    url,
    qrcode: Type.String({
      description: 'The URL as a QR code: a PNG as a data URI',
      examples: ['data:image/png;base64,iVBORw0KGgo…'],
    }),
  },
  { title: 'CreatedShare' },
);

const shareType = choiceField(['photo', 'album']);

export const Share = Type.Object(
  {
    id: Type.Integer(),
    type: shareType,
    url,
    target: Type.Object(
      {
        id: Type.Integer(),
        title: Type.String({ examples: ['Moonrise'] }),
        thumb: imagePathField('the thumbnail (400 px); "" if the caller cannot see it', 'thumb.webp'),
      },
      { description: 'Shared photo or album; title and thumb are "" if the caller can no longer see it' },
    ),
    views: Type.Integer({ minimum: 0, description: 'Number of times the link was opened' }),
    downloads: Type.Integer({
      minimum: 0,
      description: 'Number of downloads that were started from the link',
    }),
    last_view_time: timeOrEmptyField('When the link was last opened', 'if never'),
    allow_download: Type.Boolean(),
    max_views: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Maximum number of views; null: no limit',
      examples: [10],
    }),
    expire_time: timeOrEmptyField('When the link expires', 'if never'),
    has_password: Type.Boolean(),
    create_time: timeField(),
  },
  { title: 'Share' },
);
export type Share = Static<typeof Share>;

export const ShareListQuery = paginatedQuery({});
export type ShareListQuery = Static<typeof ShareListQuery>;

/**
 * Token of a link. Any text is allowed, because an invalid token should look like an unknown share, not like a bad
 * parameter.
 */
export const ShareTokenParams = Type.Object({ token: Type.String({ description: 'Last part of the URL' }) });

const innerAlbumId = Type.Optional(idField('album inside the shared album, from `children`'));

/** Query of the page of a shared album. */
export const SharePageQuery = Type.Object({
  page: ShareListQuery.properties.page,
  album_id: innerAlbumId,
});

export const ShareUnlockedRedirect = Type.Null({
  description: 'The password is correct; continue at `Location`',
});

const access = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'The `access` that unlocking returned; required if the share has a password',
  }),
);

export const SharedContentQuery = paginatedQuery({ access, album_id: innerAlbumId });

export const ShareDownloadQuery = Type.Object({
  access,
  album_id: innerAlbumId,
  ...ArchiveQuery.properties,
});

export const SharedPhotoItem = Type.Object(
  {
    ...PhotoItem.properties,
    path: imagePathField('the picture in full size', 'original.jpg'),
  },
  { title: 'SharedPhotoItem' },
);
export type SharedPhotoItem = Static<typeof SharedPhotoItem>;

const sharedPhotos = Type.Object(
  { list: Type.Array(SharedPhotoItem), pagination: Pagination },
  { title: 'SharedPhotoPage' },
);

const taken = Type.Optional(
  Type.String({
    description: 'Only for a link with `max_views`: an access for the next hour, like that of unlocking',
    examples: ['1772361000.hm8Jq0c2mXl3v1nB5tYzR7'],
  }),
);
const allowDownload = Type.Boolean({ description: 'false: `path` is the preview' });

const sharedParents = Type.Array(AlbumName, {
  description: 'Albums from the shared one down to the parent of `album`; empty for the shared album',
});
const sharedChildren = Type.Array(Album, {
  description:
    `Albums directly in \`album\` by name, the first ${maxSharedChildAlbums}. Their content has \`album_id\` in ` +
    'the query. An album that is narrower than the shared one is missing',
});

const SharedPhoto = Type.Object(
  { type: Type.Literal('photo'), photo: Photo, allow_download: allowDownload, access: taken },
  { title: 'SharedPhoto' },
);
const SharedAlbum = Type.Object(
  {
    type: Type.Literal('album'),
    album: Album,
    parents: sharedParents,
    children: sharedChildren,
    photos: sharedPhotos,
    allow_download: allowDownload,
    access: taken,
  },
  { title: 'SharedAlbum' },
);

/** Content of a share, distinguished by `type`. */
export const SharedContent = Type.Unsafe<Static<typeof SharedPhoto> | Static<typeof SharedAlbum>>({
  title: 'Shared',
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [SharedPhoto, SharedAlbum],
});
export type SharedContent = Static<typeof SharedContent>;

export interface SharedAlbum {
  album: Album;
  parents: Static<typeof sharedParents>;
  children: Album[];
  photos: Static<typeof sharedPhotos>;
}

export const UnlockShareRequest = Type.Object(
  {
    // The maximum keeps clients from making the server hash a megabyte. An empty password is accepted here and refused
    // as wrong.
    password: Type.String({ maxLength: 1024, examples: ['blue heron'] }),
  },
  { title: 'SharePassword' },
);
export type UnlockShareRequest = Static<typeof UnlockShareRequest>;

export const UnlockShareResponse = Type.Object(
  {
    access: Type.String({
      description: 'Value for GET /api/shares/{token}?access=…',
      examples: ['1772361000.hm8Jq0c2mXl3v1nB5tYzR7'],
    }),
    expires_in: Type.Integer({ description: 'Seconds', examples: [3600] }),
  },
  { title: 'ShareAccess' },
);
