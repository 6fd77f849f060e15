/** OpenAPI schemas of `/storage`. The route validates its input itself (routes.ts). */
import { Type } from '../../platform/schema/type.ts';

export const FileParams = Type.Object({
  name: Type.String({
    description:
      'As in the paths that the API returns. `{width}` of an `image` is 320, 640, 960, 1280, 1920 or 2560, and its ' +
      'format `webp` or `jpg`: such a size is made when it is first asked for. One that is wider than the picture has ' +
      "the picture's own width",
    examples: ['4f0c2a9be17d43c1a7d80e3b5c6f129a.thumb.webp'],
  }),
});

export const FileQuery = Type.Object({
  g: Type.Optional(Type.String({ description: 'Whom the path was signed for' })),
  e: Type.Optional(Type.String({ description: 'When the path expires, Unix seconds' })),
  s: Type.Optional(Type.String({ description: 'Signature' })),
});

export const Redirect = Type.Null({
  description:
    'Where the gallery is set so: the bytes are at `Location`, for some minutes. Of a size that cannot be made now: ' +
    'the preview is there',
});

/** Media types of the image files that the server stores and sends. */
export const fileTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/heic',
];

/** Schema of a path to the sizes of a photo's picture. */
export const sizesPath = Type.String({
  description:
    'Path of the picture in other sizes: put 320, 640, 960, 1280, 1920 or 2560 in the place of `{width}`. With `.jpg` ' +
    'instead of `.webp` it is a JPEG. Signed and to be requested again like the other paths; one signature holds for ' +
    'all sizes. Of an animation the WebP moves, at most as wide as the preview, and the JPEG is its first frame',
  examples: ['/storage/4f0c2a9be17d43c1a7d80e3b5c6f129a.w{width}.webp'],
});

/** Returns the schema of a path to an image: plain for public photos, signed for others. */
export const imagePath = (what: string, kind: string) =>
  Type.String({
    description:
      `Path of ${what}, on this server. For a photo that is not public the path is signed and expires after one to ` +
      'two hours: request the photo again instead of storing the path',
    examples: [`/storage/4f0c2a9be17d43c1a7d80e3b5c6f129a.${kind}`],
  });
