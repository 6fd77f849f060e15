/** Schemas of the requests and responses of resumable uploads. The headers of the protocol are in docs/uploads.md. */
import type { Static } from 'typebox';
import { Type } from '../../platform/schema/type.ts';
import { refuseContradictoryLevels } from '../library/level-fields.ts';
import { UploadFields, UploadResponse } from '../photos/schema.ts';

/**
 * Fields of the `Upload-Metadata` header when a client creates an upload. The server stores and returns unknown fields
 * without using them.
 */
export const UploadMetadata = Type.Object(
  {
    ...UploadFields.properties,
    filename: Type.Optional(Type.String({ maxLength: 1000, description: 'Name of the file' })),
    sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{64}$',
        description:
          'SHA-256 of the whole file in hex. If the user already has the file, the request is refused ' +
          'with 409 and `data.id`',
      }),
    ),
  },
  { rule: refuseContradictoryLevels },
);
export type UploadMetadata = Static<typeof UploadMetadata>;

export const CreatedUpload = Type.Object(
  {
    code: Type.Unsafe<0>({ type: 'integer', const: 0 }),
    message: Type.String({ examples: ['Upload started'] }),
    data: Type.Optional(UploadResponse),
  },
  {
    title: 'UploadBegun',
    description: 'Upload created; with `data` if the request contained the whole file',
    examples: [{ code: 0, message: 'Upload started' }],
  },
);

export const uploadParams = Type.Object({
  id: Type.String({ description: 'Id of the upload', examples: ['4f0c2a9be17d43c1a7d80e3b5c6f129a'] }),
});

export const emptyResponseSchema = (description: string) => Type.Null({ description });

const headerField = (description: string, example: string) =>
  Type.String({ description, examples: [example] });
const version = headerField('Version of the tus protocol', '1.0.0');
const checksum = Type.Optional(
  headerField(
    'Algorithm (sha1 or sha256), and the checksum of the body in Base64',
    'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
  ),
);

export const uploadStatusHeaders = Type.Object({ 'Tus-Resumable': version });

export const newUploadHeaders = Type.Object({
  'Tus-Resumable': version,
  'Upload-Length': headerField('Size of the file in bytes', '4194304'),
  'Upload-Metadata': Type.Optional(
    headerField(
      'Names and values in Base64, separated by commas',
      'filename RFNDXzAwNDIuSlBH,title UmlkZ2U=',
    ),
  ),
  'Upload-Checksum': checksum,
});

export const continuedUploadHeaders = Type.Object({
  'Tus-Resumable': version,
  'Upload-Offset': headerField('Position of the first byte: the current offset of the upload', '1048576'),
  'Upload-Checksum': checksum,
});
