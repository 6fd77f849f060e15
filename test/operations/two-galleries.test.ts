/** Two galleries in one process share neither a queue, nor a picture worker, nor a signing key. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FairQueue } from '../../server/platform/concurrency/fair-queue.ts';
import { assertRead } from '../support/assert-answers.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, logIn, type Person, password, register } from '../support/people.ts';
import { findPictureWorkers, linuxOnly } from '../support/picture-workers.ts';
import { createJpeg } from '../support/pictures.ts';

describe('two galleries in one process', { timeout: 120_000 }, () => {
  const galleries: Gallery[] = [];
  let one: { gallery: Gallery; owner: Person };
  let other: { gallery: Gallery; owner: Person };

  async function open() {
    const gallery = await startGallery({}, { ownWorkers: true });
    galleries.push(gallery);
    return { gallery, owner: await register(gallery, 'owner') };
  }
  before(async () => {
    one = await open();
    other = await open();
  });
  after(() => Promise.all(galleries.map((gallery) => gallery.close())));

  /** Takes all places of `queue` until the returned function is called. */
  async function fill(queue: FairQueue): Promise<() => void> {
    const held = ['first', 'second'].map((name) => queue.acquire({ name, address: name }));
    const places = await Promise.all(held);
    return () => {
      for (const leave of places) leave();
    };
  }

  async function waits(queue: { waiting: number }): Promise<void> {
    await eventually(async () => assert.equal(queue.waiting, 1), 30_000);
  }

  test("do not wait for each other's passwords", async () => {
    const { hashes } = one.gallery.shared;
    const letGo = await fill(hashes);
    const waiting = logIn(one.gallery, one.owner);
    await waits(hashes);
    await logIn(other.gallery, other.owner, password);
    assert.deepEqual([hashes.running, hashes.waiting], [2, 1]);
    letGo();
    await waiting;
  });

  test("do not wait for each other's pictures", async () => {
    const { queue } = one.gallery.deps.imaging;
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    const held = queue.run(() => promise, { bytes: queue.memoryBytes });
    const waiting = one.owner.upload(await createJpeg());
    await waits(queue);
    assert.equal((await other.owner.upload(await createJpeg())).status, 200);
    assert.deepEqual([queue.running, queue.waiting], [1, 1]);
    letGo();
    await held;
    assert.equal((await waiting).status, 200);
  });

  test("neither accept nor cache each other's signed paths", async () => {
    const { id } = await addPhoto(one.owner, { is_public: '0' });
    const { path } = assertRead(await one.owner.get(`/api/photos/${id}`));
    assert.match(path, /&s=/);
    assert.equal((await one.owner.get(path)).status, 200);
    assert.equal((await other.owner.get(path)).status, 404);
    assert.ok([...one.gallery.deps.secret.recent.values()].includes(path));
    assert.equal(other.gallery.deps.secret.recent.size, 0);
  });

  test('have picture workers of their own, which end with them', linuxOnly, async () => {
    const [third, fourth] = [await open(), await open()];
    const workers = [third, fourth].map(
      ({ gallery }) =>
        () =>
          findPictureWorkers(gallery.deps.config.dataDir),
    );
    for (const { owner } of [third, fourth])
      assert.equal((await owner.upload(await createJpeg())).status, 200);
    for (const find of workers) assert.ok(find().length > 0);
    await third.gallery.close();
    assert.deepEqual(workers[0]!(), []);
    assert.equal((await fourth.owner.upload(await createJpeg())).status, 200);
    await fourth.gallery.close();
    assert.deepEqual(workers[1]!(), []);
    galleries.splice(-2);
  });
});
