/** Where an image is, in the schema of an answer. */
import { Type } from '../../platform/schema/type.ts';

/** Where images are: plain for everybody, signed where not everybody may see them. */
export const imagePath = (what: string, kind: string) =>
  Type.String({
    description:
      `Path of ${what}, on this server. For a photo that is not public the path is signed and expires after one to ` +
      'two hours: request the photo again instead of storing the path',
    examples: [`/storage/4f0c2a9be17d43c1a7d80e3b5c6f129a.${kind}`],
  });
