/** A resumable upload continues after its gallery was moved, with its pieces and its quota. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { assertRead } from '../../support/assert-answers.ts';
import type { Person } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { readOffset, sendChunk, startUpload } from '../../support/uploads.ts';

export interface OpenUpload {
  path: string;
  picture: Buffer;
}

export async function beginUpload(owner: Person): Promise<OpenUpload> {
  // Adds bytes after the picture's end, which the original keeps.
  const picture = Buffer.concat([await createJpeg(), randomBytes(5000)]);
  const path = new URL(await startUpload(owner, picture.length)).pathname;
  for (const [from, to] of [
    [0, 2000],
    [2000, 3000],
  ] as const)
    assert.equal((await sendChunk(owner, path, from, picture.subarray(from, to))).status, 204);
  return { path, picture };
}

/** Sends the rest of the upload. The upload's quota was reserved when the upload began. */
export async function finishUpload(owner: Person, { path, picture }: OpenUpload): Promise<void> {
  const usedBytes = async () => assertRead(await owner.get('/api/auth/user')).storage_used;
  const before = await usedBytes();
  assert.equal(await readOffset(owner, path), 3000);
  const { status, body } = await sendChunk(owner, path, 3000, picture.subarray(3000));
  assert.equal(status, 200);
  assert.equal(assertRead(await owner.get(`/api/photos/${body.data.id}`)).size, picture.length);
  assert.equal(await usedBytes(), before);
}
