/** The checksum extension of tus: the client sends a checksum of the bytes in one request. */
import { errors } from '../../platform/errors/catalogue.ts';

/** Bytes of a checksum by algorithm. The names are those of tus and of `node:crypto`. */
const checksumLengths = { sha1: 20, sha256: 32 } as const;

export const checksumAlgorithms = Object.keys(checksumLengths);

export interface Checksum {
  algorithm: string;
  value: Buffer;
}

/**
 * Parses a header like `Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`. Throws invalid if the header is malformed.
 */
export function parseChecksum(header: string | string[] | undefined): Checksum | undefined {
  if (header === undefined) return undefined;
  const [, algorithm = '', text = ''] = /^(\w+) ([\w+/]+={0,2})$/.exec(String(header)) ?? [];
  const value = Buffer.from(text, 'base64');
  if (
    Object.hasOwn(checksumLengths, algorithm) &&
    value.length === checksumLengths[algorithm as keyof typeof checksumLengths]
  ) {
    return { algorithm, value };
  }
  throw errors.invalid({
    message: `Upload-Checksum must be an algorithm (${checksumAlgorithms.join(', ')}) and the checksum in Base64`,
  });
}
