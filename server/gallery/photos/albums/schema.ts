/** Schemas for adding photos to an album and removing them. */
import type { Static } from 'typebox';
import { Type } from '../../../platform/schema/type.ts';
import { levelResponseFields } from '../../library/level-fields.ts';
import { BatchOutcome, containedAsField } from '../schema.ts';

/** Maximum number of photos in a request. */
export const maxPhotoIds = 500;

/** Returns the schema of a list of photo ids. */
export const photoIdListField = (max: number, description: string, uniqueItems?: true) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    minItems: 1,
    maxItems: max,
    ...(uniqueItems && { uniqueItems }),
    description,
  });

export const PhotoIdsRequest = Type.Object(
  { ids: photoIdListField(maxPhotoIds, 'Photos') },
  { title: 'PhotoIds', examples: [{ ids: [7, 9] }] },
);

export const PhotosToAdd = Type.Object(
  {
    ...PhotoIdsRequest.properties,
    move: Type.Optional(
      Type.Boolean({
        description:
          'true: the album becomes the main album of all given photos. Left out: only of photos without a ' +
          'main album; the others are added by reference',
      }),
    ),
  },
  { title: 'PhotosToAdd', examples: [{ ids: [7, 9] }] },
);
export type PhotosToAdd = Static<typeof PhotosToAdd>;

const AddedPhoto = Type.Object(
  {
    id: Type.Integer(),
    as: containedAsField,
    ...levelResponseFields,
  },
  { title: 'AddedPhoto' },
);

export const AddedPhotos = Type.Object(
  {
    ...BatchOutcome.properties,
    photos: Type.Array(AddedPhoto, {
      description: 'How the album contains the photos in `success`, and their levels now',
    }),
  },
  { title: 'AddedPhotos' },
);
export type AddedPhotos = Static<typeof AddedPhotos>;
