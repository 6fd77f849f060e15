/** If the server cannot render a size now, it sends the preview, and no cache stores that response. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import sharp from 'sharp';
import { ordinaryJobBytes } from '../../../server/platform/imaging/bounds.ts';
import { createImagingQueue, type ImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { listStoredSizes, readImagePath, readKey } from './sizes.ts';

/** Bytes of a job that is too heavy to run beside another job. */
const heavy = ordinaryJobBytes + 1;

describe('a size that cannot be made now', () => {
  let gallery: Gallery;
  let queue: ImagingQueue;
  let owner: Person;
  let anybody: Person;

  before(async () => {
    queue = createImagingQueue({
      concurrency: 1,
      maxWaiting: 2,
      maxWaitingPerAddress: 64,
      maxWaitingPerCaller: 24,
      memoryBytes: 1_000_000_000,
    });
    gallery = await startGallery({}, { imagingQueue: queue });
    owner = await register(gallery, 'owner');
    anybody = asVisitor(gallery);
  });
  after(() => gallery.close());

  let photo: Awaited<ReturnType<typeof addPhoto>>;
  beforeEach(async () => {
    photo = await addPhoto(owner, {}, await createJpeg({ width: 900, height: 600 }));
  });

  /** Runs `work` while one imaging job runs and no place to wait is left. */
  async function whileFull(work: () => Promise<void>): Promise<void> {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const jobs = ['', 'a', 'b', 'c', 'd'].map((name) =>
      queue.run(() => gate, { caller: { name, address: name }, bytes: heavy }).catch(() => {}),
    );
    try {
      await work();
    } finally {
      open();
      await Promise.all(jobs);
    }
  }

  test('is the preview for now, which no cache keeps', async () => {
    const path = (await readImagePath(owner, photo))(640);
    await whileFull(async () => {
      const { status, headers } = await anybody.get(path);
      assert.deepEqual([status, headers.get('cache-control')], [302, 'no-store']);
      const there = new URL(headers.get('location')!, `${gallery.url}${path}`);
      assert.equal(there.pathname, `/storage/${readKey(photo)}.preview.jpg`);
      assert.equal(there.search, '');
      assert.equal((await anybody.get(there.pathname)).status, 200);
      const head = await anybody.send('HEAD', path);
      assert.deepEqual([head.status, head.headers.get('cache-control')], [302, 'no-store']);
    });
    assert.deepEqual(await listStoredSizes(gallery, photo), []);
    const { status, bytes } = await anybody.get(path);
    assert.equal(status, 200);
    assert.equal((await sharp(bytes).metadata()).width, 640);
  });

  test('is the preview of a private photo for the holder of the signature, and for nobody else', async () => {
    await owner.put(`/api/photos/${photo.id}`, { is_public: 0 });
    // Reads both paths from one response, because the signatures change every hour.
    const detail = assertRead(await owner.get(`/api/photos/${photo.id}`));
    const path = detail.image.replace('{width}', '640');
    await whileFull(async () => {
      const { status, headers } = await anybody.get(path);
      assert.deepEqual([status, headers.get('cache-control')], [302, 'no-store']);
      const there = new URL(headers.get('location')!, `${gallery.url}${path}`);
      assert.equal(there.pathname + there.search, detail.preview);
      assert.equal((await anybody.get(there.pathname + there.search)).status, 200);
      assert.equal((await anybody.get(path.split('?')[0]!)).status, 403);
      const byToken = await owner.get(path.split('?')[0]!);
      assert.equal(byToken.status, 302);
      assert.doesNotMatch(byToken.headers.get('location')!, /\?/);
    });
  });

  test('does not keep one that is there from being sent', async () => {
    const path = (await readImagePath(owner, photo))(320);
    const { bytes } = await anybody.get(path);
    await whileFull(async () => {
      const again = await anybody.get(path);
      assert.equal(again.status, 200);
      assert.ok(again.bytes.equals(bytes));
    });
  });

  test('is the preview, too, where its source does not decode; the log says why', async () => {
    const name = `${readKey(photo)}.preview.jpg`;
    await gallery.deps.storage.put([{ name, source: Buffer.from('no picture') }]);
    const { status, headers } = await anybody.get((await readImagePath(owner, photo))(640));
    assert.deepEqual([status, headers.get('cache-control')], [302, 'no-store']);
    assert.ok(
      gallery
        .complaints()
        .some((line) => line.includes('an image size could not be created') && line.includes(readKey(photo))),
    );
  });

  test('is the preview, too, where its picture needs more memory than there is; that is no error', async () => {
    const { run } = queue;
    queue.run = (job, request) => run(job, { ...request, bytes: 1_000_000_001 });
    const { status, headers } = await anybody.get((await readImagePath(owner, photo))(640)).finally(() => {
      queue.run = run;
    });
    assert.deepEqual([status, headers.get('cache-control')], [302, 'no-store']);
    const lines = gallery.complaints().filter((line) => line.includes(readKey(photo)));
    assert.deepEqual(
      lines.map((line) => {
        const { level, msg, err } = JSON.parse(line);
        return [level, msg, err.message];
      }),
      [
        [
          pino.levels.values.warn,
          'an image size could not be created',
          'The image is too large: it needs 1001 MB of memory, but this server has 1000 MB for pictures (IMAGING_MEMORY_MB)',
        ],
      ],
    );
  });
});
