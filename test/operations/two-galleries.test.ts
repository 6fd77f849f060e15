/** Two galleries in one process share nothing: neither a queue, nor a decoder, nor what was signed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import type { FairQueue } from '../../server/platform/concurrency/fair-queue.ts';
import { corpusFile, withoutCorpus } from '../platform/imaging/corpus.ts';
import { assertRead } from '../support/answers.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { eventually } from '../support/holdings.ts';
import { addPhoto, logIn, type Person, password, register } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';

describe('of two galleries in one process', { timeout: 120_000 }, () => {
  const galleries: Gallery[] = [];
  let one: { gallery: Gallery; owner: Person };
  let other: { gallery: Gallery; owner: Person };

  async function open() {
    const gallery = await startGallery();
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
    const held = ['first', 'second'].map((name) => queue.enter({ name, address: name }));
    const places = await Promise.all(held);
    return () => {
      for (const leave of places) leave();
    };
  }

  async function waits(queue: FairQueue): Promise<void> {
    await eventually(async () => assert.equal(queue.waiting, 1), 30_000);
  }

  test('the passwords of one do not wait for those of the other', async () => {
    const { hashes } = one.gallery.shared;
    const letGo = await fill(hashes);
    const waiting = logIn(one.gallery, one.owner);
    await waits(hashes);
    await logIn(other.gallery, other.owner, password);
    assert.deepEqual([hashes.running, hashes.waiting], [2, 1]);
    letGo();
    await waiting;
  });

  test('the headers of one do not wait for those of the other', async () => {
    const { headers } = one.gallery.deps.imaging;
    const letGo = await fill(headers);
    const waiting = one.owner.upload(await jpeg());
    await waits(headers);
    assert.equal((await other.owner.upload(await jpeg())).status, 200);
    assert.deepEqual([headers.running, headers.waiting], [2, 1]);
    letGo();
    assert.equal((await waiting).status, 200);
  });

  test('the paths that one has signed are neither good nor kept in the other', async () => {
    const { id } = await addPhoto(one.owner, { is_public: '0' });
    const { path } = assertRead(await one.owner.get(`/api/photos/${id}`));
    assert.match(path, /&s=/);
    assert.equal((await one.owner.get(path)).status, 200);
    assert.equal((await other.owner.get(path)).status, 404);
    assert.ok([...one.gallery.deps.secret.recent.values()].includes(path));
    assert.equal(other.gallery.deps.secret.recent.size, 0);
  });

  test('each decodes HEIC in a thread of its own, which ends with it', { skip: withoutCorpus }, async () => {
    const decoders: Worker[] = [];
    const isAlive = (worker: Worker) => worker.threadId !== -1;
    const note = (worker: Worker) => worker.threadName === 'heic' && decoders.push(worker);
    process.on('worker', note);
    const picture = await readFile(corpusFile('photos/formats/iphone_13_pro_max_o6.heic'));
    const [third, fourth] = [await open(), await open()];
    for (const { owner } of [third, fourth]) assert.equal((await owner.upload(picture)).status, 200);
    process.off('worker', note);
    assert.equal(decoders.length, 2);
    await third.gallery.close();
    assert.equal(isAlive(decoders[0]!), false);
    await fourth.gallery.close();
    assert.deepEqual(decoders.map(isAlive), [false, false]);
    galleries.splice(-2);
  });
});
