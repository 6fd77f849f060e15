/** While decoders hang, no other work waits: no file, no password, no readiness check. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createImaging } from '../../../server/platform/imaging/imaging.ts';
import { createWorkerPool } from '../../../server/platform/imaging/pool/pool.ts';
import { createImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';
import { temporaryName } from '../../../server/platform/storage/temporary.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, logIn, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

/** Number of hanging decoders: more than libuv has threads. */
const count = 6;

test('many pictures that never finish delay nothing else, and end when their clients disconnect', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'stuck-'));
  const stuck = createImaging({
    queue: createImagingQueue({ concurrency: count, maxWaiting: 10 }),
    pool: createWorkerPool({
      folder,
      newName: temporaryName,
      maxIdle: 1,
      ordinaryBytes: 100_000_000,
      program: join(import.meta.dirname, '../../support/hostile-worker.ts'),
    }),
  });
  const gallery = await startGallery();
  context.after(async () => {
    await gallery.close();
    await stuck.close();
    rmSync(folder, { recursive: true });
  });
  const ann = await register(gallery, 'ann');
  const photo = await addPhoto(ann);
  const { imaging } = gallery.deps;
  gallery.deps.imaging = stuck;
  const people = await Promise.all(
    Array.from({ length: count }, (_, index) => register(gallery, `person${index}`)),
  );
  const hanging = Buffer.concat([await createJpeg(), Buffer.from('#loop')]);
  const clients = new AbortController();
  const uploads = people.map(({ token }) => {
    const body = new FormData();
    body.set('file', new File([hanging], 'hanging.jpg'));
    const headers = { Authorization: `Bearer ${token}` };
    const sent = fetch(`${gallery.url}/api/photos/upload`, {
      method: 'POST',
      body,
      headers,
      signal: clients.signal,
    });
    return sent.catch(() => undefined);
  });
  await eventually(async () => assert.equal(stuck.queue.running, count));

  const begin = performance.now();
  await logIn(gallery, ann);
  assert.equal((await ann.get(photo.path)).status, 200);
  assert.equal((await asVisitor(gallery).get('/health/ready')).status, 200);
  const ms = performance.now() - begin;
  assert.ok(ms < 5_000, `${ms} ms`);

  clients.abort();
  await Promise.all(uploads);
  await eventually(async () => assert.equal(stuck.pool.size, 0));
  gallery.deps.imaging = imaging;
  await addPhoto(ann);
});
