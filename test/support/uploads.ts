/** Resumable uploads as a client without a library would speak them, each request by itself. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Answer, Person } from './people.ts';

export const tus = { 'tus-resumable': '1.0.0' };

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** `Upload-Metadata`. */
export function metadataOf(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export function create(
  who: Person,
  size: number,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const metadata = metadataOf(fields);
  return who.send('POST', '/api/uploads', {
    headers: {
      ...tus,
      'upload-length': String(size),
      ...(metadata && { 'upload-metadata': metadata }),
      ...headers,
    },
  });
}

/** The path of an upload that must be accepted. */
export async function begin(who: Person, size: number, fields: Record<string, string> = {}): Promise<string> {
  const answer = await create(who, size, fields);
  assert.equal(answer.status, 201, answer.bytes.toString());
  return answer.headers.get('location')!;
}

export function head(who: Person, path: string): Promise<Answer> {
  return who.send('HEAD', path, { headers: tus });
}

export async function offsetOf(who: Person, path: string): Promise<number> {
  const answer = await head(who, path);
  assert.equal(answer.status, 200);
  return Number(answer.headers.get('upload-offset'));
}

export function patch(
  who: Person,
  path: string,
  offset: number,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return who.send('PATCH', path, {
    body: new Uint8Array(bytes),
    headers: {
      ...tus,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
  });
}

export function end(who: Person, path: string): Promise<Answer> {
  return who.send('DELETE', path, { headers: tus });
}
