/** The headers of the protocol tus: https://tus.io/protocols/resumable-upload. */
import type { IncomingHttpHeaders } from 'node:http';
import type { UploadRow } from '../../platform/db/tables-uploads.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { checksumAlgorithms } from './checksum.ts';
import { formatUploadMetadata } from './metadata.ts';

export const tusVersion = '1.0.0';
export const uploadBytesMediaType = 'application/offset+octet-stream';

/** Returns the headers of the response to `OPTIONS`. */
export const buildTusOptionsHeaders = (maxBytes: number): Record<string, string> => ({
  'Tus-Resumable': tusVersion,
  'Tus-Version': tusVersion,
  'Tus-Extension': 'creation,creation-with-upload,termination,checksum,expiration',
  'Tus-Max-Size': String(maxBytes),
  'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
});

/** CORS rules of uploads: methods and headers that browsers may use from other origins. */
export const corsOfUploads = {
  methods: ['POST', 'HEAD', 'PATCH', 'DELETE'],
  requestHeaders: [
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Offset',
    'Upload-Metadata',
    'Upload-Checksum',
    'X-Request-ID',
    'X-Requested-With',
  ],
  answerHeaders: [
    'Location',
    'Tus-Resumable',
    'Tus-Version',
    'Tus-Extension',
    'Tus-Max-Size',
    'Tus-Checksum-Algorithm',
    'Upload-Offset',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Expires',
  ],
};

/**
 * Throws protocolVersion if a request does not name the supported version of tus. `OPTIONS` requests need no version.
 */
export function requireTusVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] !== tusVersion) throw errors.protocolVersion();
}

/** Reads the number of bytes in `Upload-Length` or `Upload-Offset`. Throws invalid. */
export function readByteCountHeader(
  headers: IncomingHttpHeaders,
  name: 'Upload-Length' | 'Upload-Offset',
): number {
  const text = headers[name.toLowerCase()];
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0 && String(count) === text) return count;
  throw errors.invalid({ message: `${name} must be a whole number of bytes` });
}

/** Throws invalid if a request uses an extension of tus that the server does not support. */
export function refuseUnsupportedExtensions(headers: IncomingHttpHeaders): void {
  for (const name of ['Upload-Defer-Length', 'Upload-Concat']) {
    if (headers[name.toLowerCase()] !== undefined)
      throw errors.invalid({ message: `${name} is not supported` });
  }
}

/** Returns the headers for an upload that has bytes up to `offset`. */
export function buildUploadProgressHeaders(
  { size, expire_time }: UploadRow,
  offset: number,
): Record<string, string> {
  return {
    'Upload-Offset': String(offset),
    ...(offset < size && { 'Upload-Expires': new Date(expire_time * 1000).toUTCString() }),
  };
}

/** Returns the headers of the response to `HEAD`. */
export function buildUploadStateHeaders({ size, received, metadata }: UploadRow): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Upload-Offset': String(received),
    'Upload-Length': String(size),
    'Upload-Metadata': formatUploadMetadata(metadata),
  };
}
