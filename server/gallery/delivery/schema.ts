/** OpenAPI schemas of `/storage`. The route validates its input itself (routes.ts). */
import { Type } from '../../platform/schema/type.ts';

export const ImageFileParams = Type.Object({
  name: Type.String({
    description:
      'Name in a path that the API returns. `{width}` of an `image` is 320, 640, 960, 1280, 1920 or ' +
      '2560, and the format is `webp` or `jpg`. Such a size is created on its first request. A size ' +
      'is never wider than the picture. `card.jpg` is the JPEG of link previews: below 600 kB and at most ' +
      '1200 pixels on each side',
    examples: ['4f0c2a9be17d43c1a7d80e3b5c6f129a.thumb.webp'],
  }),
});

export const ImageSignatureQuery = Type.Object({
  g: Type.Optional(Type.String({ description: "Id of the signature's grant" })),
  e: Type.Optional(Type.String({ description: 'When the path expires, in Unix seconds' })),
  s: Type.Optional(Type.String({ description: 'Signature' })),
});

export const StorageRedirect = Type.Null({
  description:
    'If the gallery redirects to its storage: the bytes are at `Location`, for some minutes. If a ' +
    'size cannot be created now: the preview is at `Location`',
});

/** Media types of the image files that the server stores and sends. */
export const imageMediaTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/heic',
];

/** Schema of a path to the sizes of a photo's picture. */
export const sizesPathField = Type.String({
  description:
    'Path of the picture in other sizes: replace `{width}` with 320, 640, 960, 1280, 1920 or ' +
    '2560. With `.jpg` instead of `.webp` the file is a JPEG. Signed paths expire like the other ' +
    'paths, and one signature is valid for all sizes. The WebP of an animation is animated and at ' +
    'most as wide as the preview; the JPEG is its first frame',
  examples: ['/storage/4f0c2a9be17d43c1a7d80e3b5c6f129a.w{width}.webp'],
});

/** Returns the schema of a path to an image: plain for public photos, signed for others. */
export const imagePathField = (what: string, kind: string) =>
  Type.String({
    description:
      `Server path of ${what}. The path of a photo that is not public is signed. A signed path expires after one to ` +
      'two hours: request the photo again instead of storing the path',
    examples: [`/storage/4f0c2a9be17d43c1a7d80e3b5c6f129a.${kind}`],
  });
