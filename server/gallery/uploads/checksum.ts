/** The checksum extension of tus: what the bytes of one request must have. */
import { errors } from '../../platform/errors/catalogue.ts';

/** By the names of tus, which are also those of `node:crypto`; and the bytes of each. */
const lengths = { sha1: 20, sha256: 32 } as const;

export const algorithms = Object.keys(lengths);

export interface Checksum {
  algorithm: string;
  value: Buffer;
}

/** From `Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`. Throws invalid. */
export function parseChecksum(header: string | string[] | undefined): Checksum | undefined {
  if (header === undefined) return undefined;
  const [, algorithm = '', text = ''] = /^(\w+) ([\w+/]+={0,2})$/.exec(String(header)) ?? [];
  const value = Buffer.from(text, 'base64');
  if (Object.hasOwn(lengths, algorithm) && value.length === lengths[algorithm as keyof typeof lengths]) {
    return { algorithm, value };
  }
  throw errors.invalid({
    message: `Upload-Checksum must be one of ${algorithms.join(', ')} and the checksum in Base64`,
  });
}
