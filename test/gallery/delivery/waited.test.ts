/**
 * After a wait in a queue, the server checks access again before it sends a file. A photo that became private
 * meanwhile is refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { ordinaryJobBytes } from '../../../server/platform/imaging/bounds.ts';
import { createImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';
import { objectName } from '../../../server/platform/storage/keys.ts';
import { assertDone, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, register, addPhoto as upload } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { addPhoto, addUser, makeGallery, original } from './gallery.ts';
import { readImagePath } from './sizes.ts';

/** Takes all places for reads from this IP address. Returns a function that releases the places. */
async function occupyReads({ shared }: Gallery): Promise<() => void> {
  const here = { name: '127.0.0.1', address: '127.0.0.1' };
  const places = await Promise.all(Array.from({ length: 8 }, () => shared.streams.acquire(here)));
  return () => {
    for (const leave of places) leave();
  };
}

test('a photo that became private while its request waited is not sent', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  const name = objectName(photo.key, 'original', 'jpg');
  const { streams } = gallery.shared;
  const leaveAll = await occupyReads(gallery);

  const download = `${gallery.url}/api/photos/${photo.id}/download`;
  const other = await addUser(gallery, 'other');
  const asked = [
    fetch(`${gallery.url}/storage/${name}`),
    fetch(`${gallery.url}/storage/${name}`, { headers: owner.headers }),
    fetch(download, { headers: other.headers }),
    fetch(download, { headers: owner.headers }),
  ];
  while (streams.waiting < asked.length) await setTimeout(5);
  await asLibraryWriter(gallery.deps.db.kysely).updateTable('photos').set({ visibility: 1 }).execute();
  gallery.travel(20);
  leaveAll();
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 200, 403, 200],
  );
  const [, image, , file] = await Promise.all(answers.map((answer) => answer.text()));
  assert.deepEqual([image, file], [original, original]);
  while (streams.running > 0) await setTimeout(5);
});

test('a photo that became private while a slow storage opened it is not sent', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  const path = `${gallery.url}/storage/${objectName(photo.key, 'original', 'jpg')}`;
  const { storage } = gallery.deps;
  const { open } = storage;
  const held = Promise.withResolvers<void>();
  let opened = 0;
  storage.open = async (...args) => {
    opened++;
    await held.promise;
    return open(...args);
  };
  const asked = [fetch(path), fetch(path, { headers: owner.headers })];
  while (opened < asked.length) await setTimeout(5);
  await asLibraryWriter(gallery.deps.db.kysely).updateTable('photos').set({ visibility: 1 }).execute();
  gallery.travel(1);
  held.resolve();
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 200],
  );
  const [, image] = await Promise.all(answers.map((answer) => answer.text()));
  assert.equal(image, original);
});

test('a preview that is sent as large files are is not sent either', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  const name = objectName(photo.key, 'preview', 'jpg');
  await gallery.deps.storage.put([{ name, source: Buffer.alloc(600_000) }]);
  const { streams } = gallery.shared;
  const leaveAll = await occupyReads(gallery);
  const asked = [undefined, owner.headers].map((headers) =>
    fetch(`${gallery.url}/storage/${name}`, headers && { headers }),
  );
  while (streams.waiting < asked.length) await setTimeout(5);
  await asLibraryWriter(gallery.deps.db.kysely).updateTable('photos').set({ visibility: 1 }).execute();
  gallery.travel(20);
  leaveAll();
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('cache-control')]),
    [
      [403, 'no-store'],
      [200, 'private, no-cache'],
    ],
  );
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
});

test('a size that waited to be made is not sent either', async (context) => {
  const queue = createImagingQueue({
    concurrency: 1,
    maxWaiting: 9,
    maxWaitingPerAddress: 9,
    maxWaitingPerCaller: 9,
  });
  const gallery = await startGallery({}, { imagingQueue: queue });
  context.after(() => gallery.close());
  const owner = await register(gallery, 'owner');
  const photo = await upload(owner, {}, await createJpeg({ width: 900, height: 600 }));
  const path = (await readImagePath(owner, photo))(640);
  const busy = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const work = () => {
    begun.resolve();
    return busy.promise;
  };
  // Runs a job so large that no other job fits beside it.
  const before = queue.run(work, { caller: { name: 'a', address: 'a' }, bytes: ordinaryJobBytes + 1 });
  await begun.promise;
  const asked = asVisitor(gallery).get(path);
  while (queue.waiting === 0) await setTimeout(5);
  assertDone(await owner.put(`/api/photos/${photo.id}`, { is_public: 0 }));
  busy.resolve();
  await before;
  assertRefused(await asked, 403, 20004);
  assert.equal((await owner.get(path)).status, 200);
});
