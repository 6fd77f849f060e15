/** A resumable upload that goes on wherever its gallery was carried, with its pieces and its quota. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { assertRead } from '../../support/answers.ts';
import type { Person } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';
import { begin, offsetOf, patch } from '../../support/uploads.ts';

export interface OpenUpload {
  path: string;
  picture: Buffer;
}

export async function beginUpload(owner: Person): Promise<OpenUpload> {
  // The original keeps the bytes behind the picture.
  const picture = Buffer.concat([await jpeg(), randomBytes(5000)]);
  const path = new URL(await begin(owner, picture.length)).pathname;
  for (const [from, to] of [
    [0, 2000],
    [2000, 3000],
  ] as const)
    assert.equal((await patch(owner, path, from, picture.subarray(from, to))).status, 204);
  return { path, picture };
}

/** Sends the rest. Its quota was taken when it began. */
export async function finishUpload(owner: Person, { path, picture }: OpenUpload): Promise<void> {
  const usedBytes = async () => assertRead(await owner.get('/api/auth/user')).storage_used;
  const before = await usedBytes();
  assert.equal(await offsetOf(owner, path), 3000);
  const { status, body } = await patch(owner, path, 3000, picture.subarray(3000));
  assert.equal(status, 200);
  assert.equal(assertRead(await owner.get(`/api/photos/${body.data.id}`)).size, picture.length);
  assert.equal(await usedBytes(), before);
}
