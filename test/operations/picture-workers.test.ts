/**
 * Tests picture workers of a real server: a worker decodes every picture, and no worker outlives the server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import sharp from 'sharp';
import { corpusFile, withoutCorpus } from '../platform/imaging/corpus.ts';
import { eventually } from '../support/gallery-counts.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { findPictureWorkers, linuxOnly } from '../support/picture-workers.ts';
import { createNoise } from '../support/pictures.ts';
import { startServer } from '../support/server-process.ts';

suite('picture workers', linuxOnly, () => {
  test('decode everything: the server loads no decoder', async (context) => {
    const { server, ann } = await start(context);
    const jpeg = await createNoise(2_100, 1_400);
    const photo = await addPhoto(ann, {}, jpeg);
    for (const format of ['png', 'webp', 'avif', 'tiff', 'gif'] as const)
      await addPhoto(ann, {}, await sharp(jpeg).resize(200).toFormat(format, { effort: 1 }).toBuffer());
    if (!withoutCorpus)
      await addPhoto(ann, {}, readFileSync(corpusFile('photos/formats/iphone_13_pro_max_o6.heic')));
    const edited = await ann.post(`/api/photos/${photo.id}/edit`, {
      action: 'flip',
      params: { direction: 'h' },
    });
    assert.equal(edited.status, 200);
    const { body } = await ann.get(`/api/photos/${photo.id}`);
    const sized = await ann.get(body.data.image.replace('{width}', '1920'));
    assert.equal(sized.headers.get('content-type'), 'image/webp');
    const avatar = new FormData();
    avatar.set('file', new File([new Uint8Array(await createNoise(600, 400))], 'me.jpg'));
    const { status } = await ann.send('POST', '/api/auth/avatar', { body: avatar });
    assert.equal(status, 200);
    const share = await ann.post(`/api/photos/${photo.id}/share`, { type: 'qrcode' });
    assert.equal(share.status, 200);
    assert.match(JSON.stringify(share.body), /data:image\/png;base64,/);
    const maps = readFileSync(`/proc/${server.pid}/maps`, 'utf8');
    assert.doesNotMatch(maps, /sharp|vips|heif/);
    const [worker] = findPictureWorkers(server.dataDir);
    assert.ok(worker, 'one is warm');
  });

  test('end with the server, however it ends', async (context) => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { server, ann } = await start(context);
      const photo = await addPhoto(ann, {}, await createNoise(3_000, 2_000));
      // An edit with sixty blur steps, which takes longer than any client waits.
      const steps = Array.from({ length: 60 }, () => ({
        action: 'filter',
        params: { type: 'blur', value: 100 },
      }));
      const edit = ann.put(`/api/photos/${photo.id}/edits`, { steps }).catch(() => undefined);
      await eventually(async () => assert.ok(readdirSync(join(server.dataDir, 'workers')).length > 0));
      const begin = performance.now();
      await server.end(signal);
      await edit;
      await eventually(async () => assert.deepEqual(findPictureWorkers(server.dataDir), []));
      assert.ok(performance.now() - begin < 10_000, `${signal}: ${performance.now() - begin} ms`);
    }
  });
});

/** Starts a server with one user, and stops the server after the test. */
async function start(context: { after(work: () => Promise<void>): void }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'picture-workers-'));
  const server = { ...(await startServer({ dataDir })), dataDir };
  context.after(async () => {
    await server.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });
  const ann: Person = await register(server, 'ann');
  return { server, ann };
}
