/** Schemas for requests and responses of the album routes. */
import type { Static } from 'typebox';
import type { ValueRule } from '../../platform/http/ajv.ts';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import { toInteger } from '../../platform/http/prepare-input.ts';
import {
  choiceField,
  idField,
  idOrZeroField,
  lineField,
  nullableField,
  nullableIdField,
  SortOrder,
  textField,
  timeField,
} from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { imagePathField } from '../delivery/schema.ts';
import { User } from '../identity/user-schema.ts';
import {
  isPublicField,
  levelResponseFields,
  refuseContradictoryLevels,
  visibilityField,
} from '../library/level-fields.ts';
import { photoIdListField } from '../photos/albums/schema.ts';
import { findSearchQueryProblem } from '../photos/query/parse.ts';
import { searchQueryField } from '../photos/query/schema.ts';
import { AlbumName, PhotoListQuery, photoSortNames as photoSorts } from '../photos/schema.ts';

const name = Type.String({
  ...lineField(100, 'Name; spaces around it are removed'),
  pattern: '\\S',
  patternMessage: 'Must not be empty',
});
const parentId = nullableIdField('Id of the parent album, which must have the same owner; null or 0: none');
const levelInputs = {
  visibility: Type.Optional(visibilityField),
  is_public: Type.Optional(isPublicField),
};
const rule = Type.Unsafe<string>({
  ...searchQueryField,
  pattern: '\\S',
  patternMessage: 'Must not be empty',
  description:
    "Rule of a smart album: a query as in `q`, which finds photos of the album's owner. " +
    '`is:liked` and `is:favorite` refer to the owner, and `album:` can name ordinary albums of ' +
    'the owner. Each viewer sees only photos that they can see anyway, newest first',
  examples: ['camera:canon taken:2024 is:favorite'],
});

/** Returns the error of a rule, or undefined if the rule is valid or null. */
export const findRuleProblem: ValueRule = (text: string | null) =>
  text === null ? undefined : findSearchQueryProblem(text);

export const NewAlbum = Type.Object(
  {
    name,
    description: Type.Optional(nullableField(textField(2000, 'Description'))),
    parent_id: Type.Optional(parentId),
    visibility: Type.Optional(nullableField(visibilityField)),
    is_public: Type.Optional(nullableField(isPublicField)),
    rule: Type.Optional(nullableField(rule)),
  },
  {
    title: 'NewAlbum',
    rule: refuseContradictoryLevels,
    examples: [{ name: 'Alps', description: 'Two weeks in March', is_public: 1 }],
  },
);
export type NewAlbum = Static<typeof NewAlbum>;

export const AlbumUpdate = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(nullableField(textField(2000, 'Description'), '')),
    parent_id: Type.Optional(parentId),
    ...levelInputs,
    cover_id: Type.Optional(
      nullableIdField(
        'Id of the cover: a photo of this album or of an album below it; null or 0: the newest photo',
      ),
    ),
    rule: Type.Optional(
      Type.Unsafe<string | null>({
        ...rule,
        type: ['string', 'null'],
        rule: findRuleProblem,
        description:
          'New rule of a smart album. An ordinary album cannot get a rule, and a smart album cannot ' +
          'lose its rule',
      }),
    ),
  },
  { title: 'AlbumUpdate', rule: refuseContradictoryLevels, examples: [{ name: 'The Alps', cover_id: 7 }] },
);
export type AlbumUpdate = Static<typeof AlbumUpdate>;

export const albumSorts = ['create_time', 'update_time', 'name', 'photo_count'] as const;
export type AlbumSort = (typeof albumSorts)[number];

export const AlbumListQuery = paginatedQuery({
  keyword: Type.Optional(textField(100, 'Substring of name or description, without regard to case')),
  user_id: Type.Optional(idField('owner')),
  parent_id: Type.Optional(idOrZeroField('Id of the parent album: lists its child albums; 0: top level')),
  sort: choiceField(albumSorts, {
    title: 'AlbumSort',
    default: 'create_time',
    description: 'Sort key. By `photo_count`, smart albums are sorted like empty albums',
  }),
  order: SortOrder,
});
export type AlbumListQuery = Static<typeof AlbumListQuery>;

const { album_id: _, sort: __, order: ___, page: ____, limit: _____, ...filters } = PhotoListQuery.properties;

export const AlbumPhotosQuery = paginatedQuery({
  ...filters,
  sort: choiceField(['position', ...photoSorts], {
    title: 'AlbumPhotoSort',
    default: 'position',
    description: "Sort key. `position`: the owner's order; a smart album is sorted newest first",
  }),
  order: Type.Optional(
    choiceField(['asc', 'desc'], {
      description: 'Sort direction; left out: asc for the position in an ordinary album, desc otherwise',
    }),
  ),
});

export type ArchiveFileKind = 'original' | 'preview';

export const ArchiveQuery = Type.Object({
  kind: choiceField(['original', 'preview'], {
    default: 'original',
    description: 'original: the files of the photo downloads; preview: previews (1,600 px)',
  }),
});

/** Maximum number of photos in an archive that a search query selects. */
export const maxPhotosInArchive = 5000;

const onlyOne: ValueRule = ({ ids, q }: { ids?: unknown; q?: unknown }) =>
  (ids === undefined) === (q === undefined)
    ? { ids: 'Give either ids or q', q: 'Give either ids or q' }
    : undefined;

/** Request body of a ZIP archive: ids of the photos or a search query, and the kind of files. */
export const NewArchive = Type.Object(
  {
    ids: Type.Optional(
      nullableField(
        Type.Array(idField('photo'), {
          minItems: 1,
          maxItems: 1000,
          description:
            'Ids of the photos, in the order of the archive. Photos that the caller cannot see are left ' +
            'out',
        }),
      ),
    ),
    q: Type.Optional(
      nullableField(
        Type.Unsafe<string>({
          ...PhotoListQuery.properties.q,
          minLength: 1,
          description:
            'A query, as in GET /api/photos. The archive contains the photos that it finds now, newest ' +
            `first, at most ${maxPhotosInArchive}`,
        }),
      ),
    ),
    kind: Type.Optional(nullableField(ArchiveQuery.properties.kind)),
  },
  { title: 'NewArchive', rule: onlyOne, examples: [{ ids: [3, 5, 8], kind: 'original' }] },
);
export type NewArchive = Static<typeof NewArchive>;

export const CreatedArchive = Type.Object(
  {
    url: Type.String({
      description: 'URL of the archive. Anyone with this URL can download the photos that the caller can see',
      examples: ['https://photos.example.org/api/photos/archive/1qBz0w9mCk3TnV5yXeRjUoLpGdHsAiFbWtKcYvZuN4M'],
    }),
    expires_in: Type.Integer({
      description: 'Seconds within which the download must begin',
      examples: [300],
    }),
  },
  { title: 'CreatedArchive' },
);

export const ArchiveParams = Type.Object({
  token: Type.String({ description: 'Last part of the URL' }),
});

/**
 * Maximum number of ids in a reorder request. A client sends only the ids of the changed stretch, because all ids
 * of a large album would exceed a request.
 */
export const maxReorderedPhotos = 10_000;

/** Photo ids in the query string of a DELETE request, because some clients and proxies drop its body. */
export const PhotoIdsQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Ids of the photos, separated by commas; read if there is no body',
      examples: ['7,9'],
    }),
  ),
});

/** Returns the request body that the `ids` in a query string replace, or undefined without ids. */
export function readBodyFromIdsQuery({ ids }: { ids?: unknown }): { ids: unknown[] } | undefined {
  return typeof ids === 'string' && ids !== '' ? { ids: ids.split(',').map(toInteger) } : undefined;
}

export const PhotoOrderRequest = Type.Object(
  {
    ids: photoIdListField(
      maxReorderedPhotos,
      'Ids of photos of the album, in their new order. Photos that are left out keep their positions.',
      true,
    ),
  },
  { title: 'PhotoOrder', examples: [{ ids: [9, 7] }] },
);

/** Maximum number of smart albums per response whose photos are counted. */
export const maxCountedSmartAlbums = 30;

export const Album = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ examples: ['Alps'] }),
    description: Type.String({ examples: ['Two weeks in March'] }),
    cover: imagePathField('the cover\'s thumbnail; "" if there is no photo to show', 'thumb.webp'),
    ...levelResponseFields,
    parent_id: Type.Integer({
      minimum: 0,
      description: 'Id of the parent album; 0 at the top level',
      examples: [0],
    }),
    photo_count: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      examples: [12],
      description:
        'Number of photos directly in the album that the caller can see. For a smart album, the ' +
        'number that its rule finds now. null if counting takes too long, or if the response has more ' +
        `than ${maxCountedSmartAlbums} smart albums`,
    }),
    is_smart: Type.Boolean({
      description: 'Whether this is a smart album. No photos can be added to a smart album',
    }),
    rule: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Rule of a smart album, for its owner and admins; null for others, and for ordinary albums',
      examples: [null],
    }),
    user: User,
    create_time: timeField(),
    update_time: timeField(),
  },
  { title: 'Album' },
);
export type Album = Static<typeof Album>;

export const maxChildAlbums = 100;

export const AlbumDetail = Type.Object(
  {
    ...Album.properties,
    parents: Type.Array(
      Type.Object({ ...AlbumName.properties, ...levelResponseFields }, { title: 'AlbumParent' }),
      {
        description: 'Parent albums, from the top level down',
      },
    ),
    children: Type.Array(Album, {
      description: `Child albums by name, the first ${maxChildAlbums}; GET /api/albums?parent_id= lists all`,
    }),
  },
  { title: 'AlbumDetail' },
);
export type AlbumDetail = Static<typeof AlbumDetail>;
