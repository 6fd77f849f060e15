/** Schemas of the search for photos that the caller already has. */
import type { Static } from 'typebox';
import { Type } from '../../../platform/schema/type.ts';

const maxChecksums = 500;
const example = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const ChecksumsRequest = Type.Object(
  {
    sha256: Type.Array(Type.String({ pattern: '^[0-9A-Fa-f]{64}$' }), {
      minItems: 1,
      maxItems: maxChecksums,
      description: 'SHA-256 of whole files, in hex',
    }),
  },
  { title: 'Checksums', examples: [{ sha256: [example] }] },
);

const photoId = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const KnownFiles = Type.Object(
  {
    list: Type.Array(
      Type.Object(
        {
          sha256: Type.String({ description: 'Checksum in small letters', examples: [example] }),
          photo_id: photoId('Oldest photo of the caller with this file, outside of the trash'),
          trashed_id: photoId('Oldest photo of the caller with this file in the trash'),
          has_sidecar: Type.Boolean({
            description: 'Whether the photo has what a sidecar says, such as XMP or JSON of Google Takeout',
          }),
        },
        { title: 'KnownFile' },
      ),
      { description: 'One item for each checksum that the caller has a photo of' },
    ),
  },
  { title: 'KnownFiles' },
);
export type KnownFiles = Static<typeof KnownFiles>;
