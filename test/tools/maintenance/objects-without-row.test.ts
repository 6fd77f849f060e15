/**
 * An object is stored before its row exists. If the clock jumped or the server paused for a day, the search
 * for orphans may take such an object for old. The server must not acknowledge a row whose objects the search
 * removes.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { refuseQueuedForRemoval } from '../../../server/platform/db/removals.ts';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import {
  orphanGraceSeconds,
  removeObjectsByName,
  removeOrphans,
} from '../../../server/tools/maintenance/orphans.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { countHoldings, listStoredObjects } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Answer, addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createUpload, sendChunk } from '../../support/uploads.ts';

const twoDays = 2 * 86_400;

async function makeScene(context: TestContext) {
  const gallery = await startGallery();
  context.after(gallery.close);
  const owner = await register(gallery, 'owner');
  return { gallery, owner, photo: await addPhoto(owner) };
}

/**
 * Runs the search for orphans with a clock ahead, after the next objects are stored and before their row is
 * written.
 */
function searchInBetween({ deps, travel }: Gallery): () => number {
  const { put } = deps.storage;
  let removed = 0;
  deps.storage.put = async (objects) => {
    await put(objects);
    deps.storage.put = put;
    travel(twoDays);
    removed = await removeOrphans(deps, orphanGraceSeconds, undefined);
    travel(-twoDays);
  };
  return () => removed;
}

type Ask = (owner: Person, photoId: number) => Promise<Answer>;
const requests: [string, Ask, (owner: Person, answer: Answer) => Promise<Answer>][] = [
  [
    'an upload',
    async (owner) => owner.upload(await createJpeg()),
    (owner, { body }) => owner.get(body.data.path),
  ],
  [
    'an edit',
    (owner, id) => owner.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } }),
    (owner, { body }) => owner.get(body.data.path),
  ],
  [
    'an avatar',
    async (owner) => {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(await createJpeg())]), 'a.jpg');
      return owner.send('POST', '/api/auth/avatar', { body });
    },
    (owner, { body }) => owner.get(body.data.avatar),
  ],
];

for (const [what, ask, look] of requests) {
  test(`refuses ${what} whose objects are marked as orphans, and accepts the next attempt`, async (context) => {
    const { gallery, owner, photo } = await makeScene(context);
    const before = await countHoldings(gallery.deps);
    const removed = searchInBetween(gallery);
    const refused = await ask(owner, photo.id);
    assert.ok(removed() > 0, 'the search took them for orphans');
    assert.equal(refused.status, 503);
    assert.deepEqual(await countHoldings(gallery.deps), before);
    const done = await ask(owner, photo.id);
    assertWritten(done);
    assert.equal((await look(owner, done)).status, 200);
  });
}

test('does not acknowledge a part of a resumable upload whose object is marked as an orphan', async (context) => {
  const { gallery, owner } = await makeScene(context);
  const file = await createJpeg();
  const half = file.length >> 1;
  const path = (await createUpload(owner, file.length)).headers.get('location')!;
  const removed = searchInBetween(gallery);
  assert.equal((await sendChunk(owner, path, 0, file.subarray(0, half))).status, 503);
  assert.equal(removed(), 1);
  assert.equal((await sendChunk(owner, path, 0, file.subarray(0, half))).status, 204);
  const { status, body } = await sendChunk(owner, path, half, file.subarray(half));
  assert.equal(status, 200);
  assert.equal(assertRead(await owner.get(`/api/photos/${body.data.id}`)).size, file.length);
});

test('a row that is written simultaneously keeps its objects', async (context) => {
  const { gallery, owner } = await makeScene(context);
  const { deps } = gallery;
  const path = (await createUpload(owner, 100)).headers.get('location')!;
  const object = objectName(createObjectKey(), 'piece', 'bin');
  await deps.storage.put([{ name: object, source: Buffer.from('x') }]);
  let search: Promise<number> | undefined;
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const row = { object, size: 1, start: 0, upload_id: path.split('/').at(-1)! };
    await transaction.insertInto('upload_pieces').values(row).execute();
    await refuseQueuedForRemoval(deps.db, transaction, [object]);
    search = removeObjectsByName(deps, [object]);
    // On SQLite no other transaction can write meanwhile, so only on PostgreSQL does the test wait for the
    // search.
    if (deps.db.name === 'postgres') await Promise.race([search, isWaitedFor(gallery)]);
  });
  assert.equal(await search, 0);
  assert.ok((await listStoredObjects(deps)).includes(object));
});

/** Resolves when a transaction waits for a lock in this database. */
async function isWaitedFor({ deps }: Gallery): Promise<void> {
  const waiting = sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_locks
    WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  while ((await waiting.execute(deps.db.kysely)).rows[0]!.n === 0) await pause(5);
}
