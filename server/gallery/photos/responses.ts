/** Schemas of a photo in responses: as a list item and with all details. */
import type { Static } from 'typebox';
import { choiceField, timeField, wallClockField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { imagePathField, sizesPathField } from '../delivery/schema.ts';
import { User } from '../identity/user-schema.ts';
import { levelResponseFields } from '../library/level-fields.ts';
import { FileValues, nullableLocationField, ratingField } from './metadata/schema.ts';

const time = timeField();
export const thumbField = imagePathField('the thumbnail (400 px)', 'thumb.webp');
export const previewField = imagePathField('the preview (1,600 px)', 'preview.webp');
export const counterField = Type.Integer({ minimum: 0 });

export const pixelSizeFields = {
  width: Type.Integer({ description: 'Width after rotation by Exif, in pixels', examples: [1600] }),
  height: Type.Integer({ description: 'Height after rotation by Exif, in pixels', examples: [1600] }),
};

export const placeholderField = Type.String({
  description: 'ThumbHash, base64: https://evanw.github.io/thumbhash/',
  examples: ['3OcRJYB4d3h/iIeHeEh3eIhw+j2w'],
});
export const photoTitleField = Type.String({ examples: ['Moonrise'] });

const reactionFields = {
  is_liked: Type.Boolean({ description: 'Whether the caller likes the photo; false without a token' }),
  is_favorited: Type.Boolean({
    description: 'Whether the photo is a favorite of the caller; false without a token',
  }),
};
const otherTimes = {
  update_time: timeField('Last change of the text, of `visibility` or of the image'),
  taken_time: wallClockField(
    'Time of capture by the clock of the place where the photo was taken; the time of upload (UTC) if ' +
      'neither the file, its name nor `file_time` has a time',
  ),
};

export const PhotoItem = Type.Object(
  {
    id: Type.Integer(),
    title: photoTitleField,
    thumb: thumbField,
    preview: previewField,
    image: sizesPathField,
    views: counterField,
    likes: counterField,
    favorites: counterField,
    comments: counterField,
    ...reactionFields,
    ...levelResponseFields,
    user: User,
    create_time: time,
    ...otherTimes,
    ...pixelSizeFields,
    placeholder: placeholderField,
  },
  { title: 'PhotoItem' },
);
export type PhotoItem = Static<typeof PhotoItem>;

export const AlbumName = Type.Object(
  { id: Type.Integer(), name: Type.String({ examples: ['Alps'] }) },
  { title: 'AlbumName' },
);

/** How an album contains a photo. */
export const containedAsField = choiceField(['main', 'reference'], {
  title: 'ContainedAs',
  description: '`main`: as its main album, which can hide the photo. `reference`: as a further album',
});

const ContainingAlbum = Type.Object(
  { ...AlbumName.properties, as: containedAsField },
  { title: 'ContainingAlbum' },
);

const Exif = Type.Object(
  {
    camera: Type.String({ examples: ['Canon EOS 500D'] }),
    aperture: Type.String({ examples: ['f/2.8'] }),
    shutter: Type.String({ description: 'Seconds', examples: ['1/125'] }),
    iso: Type.Integer({ description: 'ISO speed; 0 if the file has none', examples: [200] }),
  },
  { title: 'Exif' },
);

export const fileBytesField = Type.Integer({
  description:
    'Bytes of the uploaded file, or of the edited image. The file at `path` and the downloads of ' +
    'other users have another size, because they are copies without metadata. If browsers cannot ' +
    'display the format, they are JPEGs',
  examples: [784371],
});

export const Photo = Type.Object(
  {
    id: Type.Integer(),
    title: photoTitleField,
    description: Type.String({ examples: ['Above the village, in March'] }),
    path: imagePathField('the picture in full size, without its metadata', 'original.jpg'),
    preview: previewField,
    thumb: thumbField,
    image: sizesPathField,
    ...pixelSizeFields,
    size: fileBytesField,
    placeholder: placeholderField,
    views: counterField,
    likes: counterField,
    favorites: counterField,
    comments: counterField,
    downloads: counterField,
    ...reactionFields,
    tags: Type.Array(Type.String({ examples: ['alps'] })),
    exif: Exif,
    lens: Type.String({
      description: 'Lens of the camera; "" if the file has none',
      examples: ['XF23mmF2 R WR'],
    }),
    focal_length: Type.Number({
      minimum: 0,
      description: 'Focal length of the lens in millimeters, without crop factor; 0 if the file has none',
      examples: [23],
    }),
    user: User,
    album: Type.Unsafe<Static<typeof AlbumName> | null>({
      anyOf: [AlbumName, { type: 'null' }],
      description: 'Main album of the photo; null if there is none, or if the caller cannot see it',
    }),
    albums: Type.Array(ContainingAlbum, {
      description: 'All albums that contain the photo and that the caller can see, the main album first',
    }),
    ...levelResponseFields,
    create_time: time,
    ...otherTimes,
    file_name: Type.Optional(
      Type.String({
        description: 'Name of the uploaded file. Only for the owner and admins',
        examples: ['DSCF1234.jpg'],
      }),
    ),
    location: Type.Optional(
      nullableLocationField('Place of capture; null if it is unknown. Only for the owner and admins'),
    ),
    place_names: Type.Optional(
      Type.String({
        description:
          "Names of the place in the file: location, city, state and country; '' if it has none. Only for the owner and admins",
        examples: ['Louvre, Paris, France'],
      }),
    ),
    rating: Type.Optional(
      ratingField('Rating from 1 to 5 by the owner or the file; 0 for none. Only for the owner and admins'),
    ),
    file: Type.Optional(FileValues),
  },
  { title: 'Photo' },
);
export type Photo = Static<typeof Photo>;
