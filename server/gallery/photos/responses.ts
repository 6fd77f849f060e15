/** Schemas of a photo in responses: as a list item and with all details. */
import type { Static } from 'typebox';
import { flagAnswer, timeField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { imagePath, sizesPath } from '../delivery/schema.ts';
import { User } from '../identity/user-schema.ts';

const time = timeField();
export const thumb = imagePath('the thumbnail (400 px)', 'thumb.webp');
export const preview = imagePath('the preview (1,600 px)', 'preview.webp');
export const counter = Type.Integer({ minimum: 0 });

export const size = {
  width: Type.Integer({ description: 'Upright, pixels', examples: [1600] }),
  height: Type.Integer({ description: 'Upright, pixels', examples: [1600] }),
};

export const placeholder = Type.String({
  description: 'ThumbHash, base64: https://evanw.github.io/thumbhash/',
  examples: ['3OcRJYB4d3h/iIeHeEh3eIhw+j2w'],
});
export const title = Type.String({ examples: ['Moonrise'] });

const reactions = {
  is_liked: Type.Boolean({ description: 'By the caller; false without a token' }),
  is_favorited: Type.Boolean({ description: 'By the caller; false without a token' }),
};
const isPublicAnswer = flagAnswer('1 public, 0 private');

const otherTimes = {
  update_time: timeField('When its text, its flag `is_public` or its image changed last'),
  taken_time: timeField(
    "When the picture was taken, by the camera's clock (in UTC where the file tells the offset); where the file does " +
      'not say, when it was uploaded',
  ),
};

const Location = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, examples: [46.0207] }),
    longitude: Type.Number({ minimum: -180, maximum: 180, examples: [7.7491] }),
  },
  { title: 'Location', description: 'Degrees; north and east are positive' },
);

export const PhotoItem = Type.Object(
  {
    id: Type.Integer(),
    title,
    thumb,
    preview,
    image: sizesPath,
    views: counter,
    likes: counter,
    favorites: counter,
    comments: counter,
    ...reactions,
    is_public: isPublicAnswer,
    user: User,
    create_time: time,
    ...otherTimes,
    ...size,
    placeholder,
  },
  { title: 'PhotoItem' },
);
export type PhotoItem = Static<typeof PhotoItem>;

export const AlbumName = Type.Object(
  { id: Type.Integer(), name: Type.String({ examples: ['Alps'] }) },
  { title: 'AlbumName' },
);

const Exif = Type.Object(
  {
    camera: Type.String({ examples: ['Canon EOS 500D'] }),
    aperture: Type.String({ examples: ['f/2.8'] }),
    shutter: Type.String({ description: 'Seconds', examples: ['1/125'] }),
    iso: Type.Integer({ description: '0 when the file does not say', examples: [200] }),
  },
  { title: 'Exif' },
);

export const bytes = Type.Integer({
  description:
    'Bytes of the uploaded file, or of the edited image. The file at `path` and the downloads of other users have ' +
    'another size: they are copies without metadata, or JPEGs where browsers do not show the format',
  examples: [784371],
});

export const Photo = Type.Object(
  {
    id: Type.Integer(),
    title,
    description: Type.String({ examples: ['Above the village, in March'] }),
    path: imagePath('the picture in full size, without its metadata', 'original.jpg'),
    preview,
    thumb,
    image: sizesPath,
    ...size,
    size: bytes,
    placeholder,
    views: counter,
    likes: counter,
    favorites: counter,
    comments: counter,
    downloads: counter,
    ...reactions,
    tags: Type.Array(Type.String({ examples: ['alps'] })),
    exif: Exif,
    lens: Type.String({ description: '"" where the file does not say', examples: ['XF23mmF2 R WR'] }),
    focal_length: Type.Number({
      minimum: 0,
      description: 'Millimetres, of the lens itself; 0 where the file does not say',
      examples: [23],
    }),
    user: User,
    album: Type.Unsafe<Static<typeof AlbumName> | null>({
      anyOf: [AlbumName, { type: 'null' }],
      description: 'null where it is in none, or in one that the caller may not see',
    }),
    is_public: isPublicAnswer,
    create_time: time,
    ...otherTimes,
    file_name: Type.Optional(
      Type.String({
        description: 'What the uploaded file was called. For its owner and admins alone',
        examples: ['DSCF1234.jpg'],
      }),
    ),
    location: Type.Optional(
      Type.Unsafe<Static<typeof Location> | null>({
        anyOf: [Location, { type: 'null' }],
        description:
          'Where the picture was taken, null where the file does not say. For its owner and admins alone',
      }),
    ),
  },
  { title: 'Photo' },
);
export type Photo = Static<typeof Photo>;
