/** Resumable uploads by single requests, like a client without a library. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Answer, Person } from './people.ts';

export const tusHeader = { 'tus-resumable': '1.0.0' };

export const hashSha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the value of the header `Upload-Metadata`. */
export function encodeMetadata(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export function createUpload(
  who: Person,
  size: number,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const metadata = encodeMetadata(fields);
  return who.send('POST', '/api/uploads', {
    headers: {
      ...tusHeader,
      'upload-length': String(size),
      ...(metadata && { 'upload-metadata': metadata }),
      ...headers,
    },
  });
}

/** Starts an upload that the server must accept, and returns its path. */
export async function startUpload(
  who: Person,
  size: number,
  fields: Record<string, string> = {},
): Promise<string> {
  const answer = await createUpload(who, size, fields);
  assert.equal(answer.status, 201, answer.bytes.toString());
  return answer.headers.get('location')!;
}

export function readUploadHead(who: Person, path: string): Promise<Answer> {
  return who.send('HEAD', path, { headers: tusHeader });
}

export async function readOffset(who: Person, path: string): Promise<number> {
  const answer = await readUploadHead(who, path);
  assert.equal(answer.status, 200);
  return Number(answer.headers.get('upload-offset'));
}

export function sendChunk(
  who: Person,
  path: string,
  offset: number,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return who.send('PATCH', path, {
    body: new Uint8Array(bytes),
    headers: {
      ...tusHeader,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
  });
}

export function deleteUpload(who: Person, path: string): Promise<Answer> {
  return who.send('DELETE', path, { headers: tusHeader });
}
