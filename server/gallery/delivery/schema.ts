/** What the contract says of `/storage`. The route checks its input itself: see routes.ts. */
import { Type } from '../../platform/schema/type.ts';

export const FileParams = Type.Object({
  name: Type.String({
    description: 'As in the paths that the API returns',
    examples: ['4f0c2a9be17d43c1a7d80e3b5c6f129a.thumb.webp'],
  }),
});

export const FileQuery = Type.Object({
  g: Type.Optional(Type.String({ description: 'Whom the path was signed for' })),
  e: Type.Optional(Type.String({ description: 'When the path expires, Unix seconds' })),
  s: Type.Optional(Type.String({ description: 'Signature' })),
});

export const Redirect = Type.Null({
  description: 'Where the gallery is set so: the bytes are at `Location`, for some minutes',
});

/** The formats that are stored, and so served. */
export const fileTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/heic',
];
