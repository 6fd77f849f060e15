/** Schemas of the requests and responses of the photo routes. */

import type { Static } from 'typebox';
import type { ValueRule } from '../../platform/http/ajv.ts';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import {
  choiceField,
  flagField,
  idField,
  idOrZeroField,
  lineField,
  nullableField,
  nullableIdField,
  SortOrder,
  textField,
  timeField,
  wantedStateField,
} from '../../platform/http/schema.ts';
import { EditStep, maxEditSteps } from '../../platform/imaging/edits/actions.ts';
import { Type } from '../../platform/schema/type.ts';
import { imagePathField, sizesPathField } from '../delivery/schema.ts';
import { isPublicField, refuseContradictoryLevels, visibilityField } from '../library/level-fields.ts';
import { findTagsProblem, maxTagLength, maxTags, splitTags } from '../library/tags.ts';
import { correctionInputs, fileTimeField, fromFileField, refuseDoubleFields } from './metadata/schema.ts';
import { searchQueryField } from './query/schema.ts';
import {
  counterField,
  fileBytesField,
  photoTitleField,
  pixelSizeFields,
  placeholderField,
  previewField,
  thumbField,
} from './responses.ts';
import { sidecarFields } from './sidecar-fields.ts';

export { AlbumName, containedAsField, Photo, PhotoItem } from './responses.ts';

export const newPhotoTitleField = Type.String({ ...lineField(200, 'Title'), examples: ['Moonrise'] });
export const newPhotoDescriptionField = textField(2000, 'Description');
const time = timeField();

const levelInputs = {
  visibility: Type.Optional(visibilityField),
  is_public: Type.Optional(isPublicField),
};

const tagsRule: ValueRule = (tags: unknown[]) =>
  tags.every((tag) => typeof tag === 'string') ? findTagsProblem(tags) : undefined;

const tagList = Type.Array(Type.String({ maxLength: maxTagLength + 50, format: 'text' }), {
  maxItems: 1000,
  description:
    `At most ${maxTags} tags of at most ${maxTagLength} characters, trimmed and without ` +
    'duplicates. A tag may contain a comma here, but not in an upload form, where commas separate ' +
    'tags',
  rule: tagsRule,
});

/** Text fields of the upload form, with the types that they have in a form. */
export const UploadFields = Type.Object(
  {
    title: Type.Optional(newPhotoTitleField),
    description: Type.Optional(newPhotoDescriptionField),
    album_id: Type.Optional(idOrZeroField("Id of one of the uploader's albums; 0 for none")),
    tags: Type.Optional(
      Type.String({
        maxLength: 10_000,
        format: 'text',
        rule: (text: string) => findTagsProblem(splitTags(text)),
        description:
          'Tags, separated by commas (`,`, `，` or `、`) or line breaks. Only PUT /api/photos/{id} can set a tag that ' +
          'contains a comma',
        examples: ['alps, winter'],
      }),
    ),
    file_time: Type.Optional(fileTimeField),
    ...sidecarFields,
    ...levelInputs,
  },
  { rule: refuseContradictoryLevels },
);
export type UploadFields = Static<typeof UploadFields>;

const refuseContradictions: ValueRule = (update, context) =>
  refuseContradictoryLevels(update, context) ?? refuseDoubleFields(update, context);

export const PhotoUpdate = Type.Object(
  {
    title: Type.Optional(nullableField(newPhotoTitleField, '')),
    description: Type.Optional(nullableField(newPhotoDescriptionField, '')),
    album_id: Type.Optional(
      nullableIdField("Id of one of the owner's albums; null or 0 removes the photo from its album"),
    ),
    tags: Type.Optional(nullableField(tagList, [])),
    ...levelInputs,
    ...correctionInputs,
    from_file: Type.Optional(fromFileField),
  },
  {
    title: 'PhotoUpdate',
    rule: refuseContradictions,
    examples: [{ title: 'Moonrise', tags: ['moon', 'village'], is_public: 1 }],
  },
);
export type PhotoUpdate = Static<typeof PhotoUpdate>;

export const photoSortNames = [
  'create_time',
  'update_time',
  'taken_time',
  'views',
  'likes',
  'favorites',
  'downloads',
  'size',
  'title',
  'rating',
  'relevance',
] as const;

export const dayField = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-03-01'] });

export const PhotoListQuery = paginatedQuery({
  around: Type.Optional(
    Type.Integer({
      ...idField('photo'),
      description:
        'Id of a photo: returns the page that contains this photo, whatever `page` is. Refused with ' +
        '20003 if the list does not contain the photo',
    }),
  ),
  q: Type.Optional(searchQueryField),
  sort: choiceField(photoSortNames, {
    title: 'PhotoSort',
    default: 'create_time',
    description:
      'Sort key. `taken_time` is the time of capture. `rating` sorts lists of photos of the caller (`user_id`, an ' +
      'own album); admins sort the photos of any user. Other lists are then sorted by `create_time`. ' +
      '`relevance` needs `q`: photos whose title has the words come first, and words as typed before words without ' +
      'accents. The newest 10,000 photos are ranked, and the others follow',
  }),
  order: SortOrder,
  album_id: Type.Optional(
    idOrZeroField(
      'Photos directly in this album, or those that its rule finds; 0: photos in no album that the caller can ' +
        'see. Refused with 30001 if there is no such album',
    ),
  ),
  user_id: Type.Optional(
    Type.Integer({
      ...idField('owner'),
      description: 'Photos of this user; an unknown user has none',
    }),
  ),
  tag: Type.Optional(textField(maxTagLength, 'Photos with this tag, without regard to case')),
  keyword: Type.Optional(
    textField(100, 'Substring of title, description or a tag, in any script, without regard to case'),
  ),
  date_from: Type.Optional(dayField('First day of create_time (UTC)')),
  date_to: Type.Optional(dayField('Last day of create_time (UTC)')),
  is_public: Type.Optional(
    flagField(
      '1: photos whose `visibility` is `public`, 0: other photos. With a token and without `user_id` ' +
        'or `album_id`, lists only photos of the caller. 0 needs a token',
    ),
  ),
});
export type PhotoListQuery = Static<typeof PhotoListQuery>;

export const UploadResponse = Type.Object(
  {
    id: Type.Integer(),
    title: photoTitleField,
    path: imagePathField('the picture in full size', 'original.jpg'),
    thumb: thumbField,
    ...pixelSizeFields,
    size: fileBytesField,
  },
  { title: 'UploadedPhoto' },
);

export const SetPhotoLike = Type.Object({ liked: wantedStateField }, { title: 'SetLike' });
export const SetPhotoFavorite = Type.Object({ favorited: wantedStateField }, { title: 'SetFavorite' });
export const LikeResponse = Type.Object({ is_liked: Type.Boolean(), likes: counterField }, { title: 'Like' });
export const FavoriteResponse = Type.Object(
  { is_favorited: Type.Boolean(), favorites: counterField },
  { title: 'Favorite' },
);
export const EditResponse = Type.Object(
  {
    path: imagePathField('the edited image', 'edit.jpg'),
    preview: previewField,
    image: sizesPathField,
    thumb: thumbField,
    ...pixelSizeFields,
    size: fileBytesField,
    placeholder: placeholderField,
  },
  { title: 'EditedPhoto' },
);

export const NewEditHistory = Type.Object(
  {
    steps: Type.Array(EditStep, {
      maxItems: maxEditSteps,
      description: 'Steps, in the order in which they are applied',
    }),
  },
  {
    title: 'NewEditHistory',
    examples: [{ steps: [{ action: 'rotate', params: { angle: 90 } }] }],
  },
);

const Edit = Type.Object(
  {
    id: Type.Integer(),
    action: Type.String({ examples: ['rotate'] }),
    params: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Parameters as they were given',
      examples: [{ angle: 90 }],
    }),
    create_time: time,
  },
  { title: 'Edit' },
);

const Original = Type.Object(
  {
    path: imagePathField('the original, in a format that browsers can display', 'original.jpg'),
    preview: previewField,
    image: sizesPathField,
    thumb: thumbField,
    ...pixelSizeFields,
  },
  { title: 'OriginalPicture', description: 'Picture that the steps are applied to' },
);

export const EditSteps = Type.Object(
  { list: Type.Array(Edit), original: Original },
  { title: 'EditHistory' },
);

const Failure = Type.Object(
  {
    id: Type.Integer(),
    code: Type.Integer({
      description: 'Code that the action on this photo alone would return',
      examples: [20003],
    }),
    message: Type.String({ examples: ['The photo does not exist'] }),
  },
  { title: 'Failure' },
);

/** Result of an action on many photos. */
export const BatchOutcome = Type.Object(
  {
    success: Type.Array(Type.Integer(), { description: 'Ids of the changed photos, in the given order' }),
    failed: Type.Array(Failure),
  },
  { title: 'Outcome' },
);
export type BatchOutcome = Static<typeof BatchOutcome>;

export const RevertRequest = Type.Object(
  {
    edit_id: Type.Optional(
      nullableField(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Id of the last step to keep; left out or null: reverts to the original',
        }),
      ),
    ),
  },
  { title: 'Revert' },
);
export type RevertRequest = Static<typeof RevertRequest>;
