/** An upload that has begun goes on where its gallery goes, by a move and by a backup. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Home } from '../../../server/tools/transfer/homes.ts';
import { move } from '../../../server/tools/transfer/move/move.ts';
import { silent } from '../../../server/tools/transfer/progress.ts';
import { assertRead } from '../../support/answers.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';
import { begin, offsetOf, patch } from '../../support/uploads.ts';
import { backUp, restoreTo } from './archives.ts';
import { createScope, otherHome, serve, sqliteHome } from './homes.ts';
import { moved } from './walk.ts';

const scope = createScope();
after(() => scope.end());

test('an open upload is carried with its pieces and its quota', async () => {
  const [first, other, restored] = [await sqliteHome(scope), await otherHome(scope), await sqliteHome(scope)];
  const file = join(first.dataDir, 'gallery.tar');
  const begun = await beginIn(first, file);
  await move({ from: first, to: other, acceptDamage: false, progress: silent });
  await restoreTo(restored, file);
  for (const home of [other, restored]) await goesOn(home, begun);
});

interface Begun {
  owner: Person;
  path: string;
  picture: Buffer;
  used: number;
}

/** Begins an upload there, and makes a backup. */
async function beginIn(home: Home, file: string): Promise<Begun> {
  const gallery = await serve(home);
  try {
    const owner = await register(gallery, 'owner');
    await addPhoto(owner);
    // What follows the picture belongs to its file.
    const picture = Buffer.concat([await jpeg(), randomBytes(5000)]);
    const path = new URL(await begin(owner, picture.length)).pathname;
    assert.equal((await patch(owner, path, 0, picture.subarray(0, 2000))).status, 204);
    assert.equal((await patch(owner, path, 2000, picture.subarray(2000, 3000))).status, 204);
    await backUp(gallery, file);
    return { owner, path, picture, used: await usedBytes(gallery) };
  } finally {
    await gallery.close();
  }
}

async function goesOn(home: Home, { owner: before, path, picture, used }: Begun): Promise<void> {
  const gallery = await serve(home);
  try {
    const owner = moved(gallery, before);
    assert.equal(await usedBytes(gallery), used);
    assert.equal(await offsetOf(owner, path), 3000);
    const { status, body } = await patch(owner, path, 3000, picture.subarray(3000));
    assert.equal(status, 200);
    assert.equal(assertRead(await owner.get(`/api/photos/${body.data.id}`)).size, picture.length);
    assert.equal(await usedBytes(gallery), used);
    assert.deepEqual(gallery.complaints(), []);
  } finally {
    await gallery.close();
  }
}

async function usedBytes({ deps }: Gallery): Promise<number> {
  return (await deps.db.kysely.selectFrom('users').select('used_bytes').executeTakeFirstOrThrow()).used_bytes;
}
