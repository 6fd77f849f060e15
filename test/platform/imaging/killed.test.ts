/** Tests the response to a picture that killed its worker, and how long the server remembers it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ImageError, QueueFullError } from '../../../server/platform/imaging/errors.ts';
import { createImaging } from '../../../server/platform/imaging/imaging.ts';
import { createWorkerPool } from '../../../server/platform/imaging/pool/pool.ts';
import type { WorkerEnded } from '../../../server/platform/imaging/pool/worker-ended.ts';
import { createImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';
import { temporaryName } from '../../../server/platform/storage/temporary.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createFolder } from './pictures.ts';

const write = createFolder();
const folder = mkdtempSync(join(tmpdir(), 'killed-'));
const ended: string[] = [];
const pool = createWorkerPool({
  folder,
  newName: temporaryName,
  maxIdle: 1,
  ordinaryBytes: 100_000_000,
  program: join(import.meta.dirname, '../../support/hostile-worker.ts'),
  maxFolderBytes: 100_000_000,
});
const options = {
  queue: createImagingQueue({ concurrency: 2, maxWaiting: 10 }),
  pool,
  onEnded: ({ why }: WorkerEnded, kind: string) => ended.push(`${kind} ${why}`),
};
// Only the endless loop ends by its CPU time: a slow machine must not stop the others for theirs.
const imaging = createImaging({ ...options, seconds: { upload: 10 }, patience: 200 });
const hurried = createImaging({ ...options, seconds: { upload: 0.5 }, patience: 200 });
const impatient = createImaging({ ...options, seconds: { upload: 0.5 }, patience: 1 });
after(async () => {
  await Promise.all([imaging.close(), hurried.close(), impatient.close()]);
  rmSync(folder, { recursive: true });
});

const picture = await createJpeg();
const imagingFor = (what: string) => (what === 'loop' ? hurried : imaging);
const fileFor = (what: string) => write(`${what}.jpg`, Buffer.concat([picture, Buffer.from(`#${what}`)]));

suite('a picture that ends its worker', () => {
  const REFUSED: [what: string, reason: string, words: RegExp][] = [
    ['memory', 'too-large', /more memory than its dimensions/],
    ['loop', 'too-large', /takes too long/],
    ['disk', 'too-large', /too much disk space/],
    ['abort', 'format', /damaged or not an image/],
    ['chatter', 'format', /damaged or not an image/],
  ];
  for (const [what, reason, words] of REFUSED) {
    test(`is refused when it ends the worker by ${what}`, async () => {
      await assert.rejects(imagingFor(what).upload(fileFor(what), { contentId: what }), (error) => {
        assert.ok(error instanceof ImageError, String(error));
        assert.equal(error.reason, reason);
        assert.match(error.message, words);
        return true;
      });
    });
  }

  test('is refused at once when it comes again, by its bytes and not by its name', async () => {
    const before = ended.length;
    for (const what of ['memory', 'loop', 'disk'])
      await assert.rejects(imagingFor(what).upload(fileFor('answer'), { contentId: what }), ImageError);
    assert.equal(ended.length, before, 'no worker was asked');
    // A crash is tried again, because an earlier picture may have damaged the worker.
    await assert.rejects(imaging.upload(fileFor('abort'), { contentId: 'abort' }), ImageError);
    assert.equal(ended.at(-1), 'upload crash');
  });

  test('is not remembered when the machine was only busy', async () => {
    const asked = () => impatient.upload(fileFor('sleep'), { contentId: 'sleep' });
    await assert.rejects(asked(), QueueFullError);
    await assert.rejects(asked(), QueueFullError);
    assert.deepEqual(ended.slice(-2), ['upload busy', 'upload busy']);
  });
});

test('needs more memory than there is for pictures: says how much', async () => {
  const queue = createImagingQueue({ concurrency: 1, maxWaiting: 1, memoryBytes: 50_000_000 });
  const small = createImaging({ queue, pool });
  const steps = [{ action: 'resize', params: { width: 9_000, height: 9_000 } } as const];
  const upright = { width: 320, height: 200 };
  const newFile = () => Promise.reject(new Error('never asked'));
  await assert.rejects(
    small.edit(fileFor('answer'), steps, { upright, newFile }),
    /needs \d+ MB of memory, but this server has 50 MB for pictures \(IMAGING_MEMORY_MB\)/,
  );
});
