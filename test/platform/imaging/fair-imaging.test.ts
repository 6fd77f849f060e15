/**
 * Tests pictures of several users at once: nobody waits behind the heavy edits of another user, and an
 * aborted request leaves nothing.
 */

import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { ordinaryJobBytes } from '../../../server/platform/imaging/bounds.ts';
import { createImagingQueue, type ImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';
import { countHoldings, eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

/** A job of this many bytes is heavy and waits for a core. Each caller may have four heavy jobs waiting. */
const heavy = ordinaryJobBytes + 1;
const waitingPerCaller = 4;
const blur = { action: 'filter', params: { type: 'blur', value: 20 } };

/**
 * Creates a JPEG whose edits are heavy: a decoder holds a whole progressive JPEG in memory before its first
 * row.
 */
function largeJpeg(): Promise<Buffer> {
  return sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#4a7' } })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

describe('pictures of several people', { timeout: 400_000 }, () => {
  let gallery: Gallery;
  let imaging: ImagingQueue;
  let ann: Person;
  let ben: Person;

  before(async () => {
    imaging = createImagingQueue({ concurrency: 2, maxWaiting: 64, maxWaitingPerCaller: waitingPerCaller });
    gallery = await startGallery({}, { imagingQueue: imaging });
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
  });
  after(() => gallery?.close());

  /**
   * Occupies both cores with heavy jobs of a caller, whose other jobs wait until the returned function is
   * called.
   */
  function holdCores(t: TestContext, caller: Person) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = [1, 2].map(() =>
      imaging.run(() => promise, { caller: { name: `u${caller.id}`, address: '127.0.0.1' }, bytes: heavy }),
    );
    const releaseCores = async () => {
      resolve();
      await Promise.all(held);
    };
    t.after(releaseCores);
    return releaseCores;
  }

  async function waits(count: number): Promise<void> {
    await eventually(async () => assert.equal(imaging.waiting, count), 30_000);
  }

  /** Sends a request that the test can abort before the response. */
  function ask({ token }: Person, path: string, body: FormData | object) {
    const client = new AbortController();
    const isForm = body instanceof FormData;
    const answer = fetch(gallery.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
      signal: client.signal,
    }).then(
      ({ status }) => status,
      () => 'aborted',
    );
    return { answer, abort: () => client.abort() };
  }

  /** Returns the temporary files that this process has open, including deleted files. */
  function openTemporaryFiles(): string[] {
    const folder = '/proc/self/fd';
    const names = readdirSync(folder).flatMap((descriptor) => {
      try {
        return [readlinkSync(join(folder, descriptor))];
      } catch {
        return []; // The descriptor of the listing itself is closed by now.
      }
    });
    return names.filter((name) => name.startsWith(join(gallery.deps.config.dataDir, 'tmp')));
  }

  async function form(): Promise<FormData> {
    const sent = new FormData();
    sent.append('file', new Blob([new Uint8Array(await largeJpeg())]), 'large.jpg');
    return sent;
  }

  test('the small upload of one does not wait for edits that another asked for first', async (t) => {
    const photos = await Promise.all([1, 2, 3, 4].map(async () => addPhoto(ann, {}, await largeJpeg())));
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    t.after(() => letGo());
    const held = [1, 2].map(() => imaging.run(() => promise));
    const answered: string[] = [];
    const edits = photos.map(async ({ id }) => {
      const { status } = await ann.post(`/api/photos/${id}/edit`, blur);
      answered.push(`edit ${status}`);
    });
    await waits(photos.length);
    const upload = ben.upload(await createJpeg()).then(({ status }) => answered.push(`upload ${status}`));
    // Without a fair order, the upload would wait behind the edits that are queued before it.
    await eventually(async () => assert.ok(answered.length > 0 || imaging.waiting > photos.length), 30_000);
    letGo();
    await Promise.all([...held, ...edits, upload]);
    const place = answered.indexOf('upload 200');
    assert.ok(place === 0 || place === 1, answered.join());
    assert.equal(answered.filter((told) => told === 'edit 200').length, photos.length);
  });

  test('the small upload of one is answered before the heavy edits of another, whose full queue is theirs alone', async (t) => {
    const photos = await Promise.all([1, 2, 3, 4, 5].map(async () => addPhoto(ann, {}, await largeJpeg())));
    const own = await addPhoto(ben);
    const letGo = holdCores(t, ann);
    let edited = 0;
    const edits = photos.slice(0, waitingPerCaller).map(async ({ id }) => {
      const { status } = await ann.post(`/api/photos/${id}/edit`, blur);
      edited++;
      return status;
    });
    await waits(waitingPerCaller);

    const refused = await ann.post(`/api/photos/${photos[4]!.id}/edit`, blur);
    assert.deepEqual([refused.status, refused.body.code], [429, 429]);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.equal((await ben.upload(await createJpeg())).status, 200);
    assert.equal((await ben.post(`/api/photos/${own.id}/edit`, blur)).status, 200);
    assert.deepEqual([edited, imaging.waiting], [0, waitingPerCaller]);

    // The upload does not wait either while the edits use the cores.
    await letGo();
    assert.equal((await ben.upload(await createJpeg())).status, 200);
    assert.ok(edited < waitingPerCaller, 'all of the edits were done before');
    assert.deepEqual(await Promise.all(edits), [200, 200, 200, 200]);
    assert.deepEqual([imaging.running, imaging.waiting, imaging.heldBytes], [0, 0, 0]);
  });

  test('a request that is aborted while it waits leaves the queue, and no file, descriptor or place', async (t) => {
    const { id } = await addPhoto(ann, {}, await largeJpeg());
    const before = await countHoldings(gallery.deps);
    const letGo = holdCores(t, ann);
    // The second edit of a photo waits for the first edit.
    const edits = [1, 2].map(() => ask(ann, `/api/photos/${id}/edit`, blur));
    const uploads = await Promise.all(
      [1, 2, 3].map(async () => ask(ann, '/api/photos/upload', await form())),
    );
    await waits(4);
    assert.match(
      (await asVisitor(gallery).get('/metrics')).bytes.toString(),
      /^lightwell_imaging_waiting 4$/m,
    );

    for (const { abort } of [...edits, ...uploads]) abort();
    await waits(0);
    assert.match(
      (await asVisitor(gallery).get('/metrics')).bytes.toString(),
      /^lightwell_imaging_waiting 0$/m,
    );
    await eventually(async () => {
      assert.deepEqual(await countHoldings(gallery.deps), before);
      assert.deepEqual(openTemporaryFiles(), []);
    });
    await letGo();
    assert.deepEqual(await Promise.all([...edits, ...uploads].map(({ answer }) => answer)), [
      'aborted',
      'aborted',
      'aborted',
      'aborted',
      'aborted',
    ]);
    assert.deepEqual(await countHoldings(gallery.deps), before);
    assert.equal(
      (await ann.post(`/api/photos/${id}/edit`, blur)).status,
      200,
      'the mutex of the photo is free',
    );
  });

  test('uploads that are aborted while they wait release their places', async (t) => {
    const letGo = holdCores(t, ann);
    // Sends more uploads than one user may have in progress, four at a time.
    for (let round = 0; round < 3; round++) {
      const uploads = await Promise.all(
        [1, 2, 3, 4].map(async () => ask(ann, '/api/photos/upload', await form())),
      );
      await waits(4);
      for (const { abort } of uploads) abort();
      await waits(0);
    }
    const last = ask(ann, '/api/photos/upload', await form());
    await waits(1);
    await letGo();
    assert.equal(await last.answer, 200);
  });

  test('an edit under way ends soon after its client has gone, and stores nothing', async () => {
    const { id } = await addPhoto(ann, {}, await largeJpeg());
    for (let step = 0; step < 3; step++) await ann.post(`/api/photos/${id}/edit`, blur);
    const before = await countHoldings(gallery.deps);
    const left = ask(ann, `/api/photos/${id}/edit`, blur);
    await eventually(async () => assert.equal(imaging.running, 1), 30_000);
    left.abort();
    await eventually(async () => assert.equal(imaging.running, 0), 30_000);
    await eventually(async () => assert.deepEqual(await countHoldings(gallery.deps), before));
  });
});
