/**
 * What the system refuses a server in the midst of its work: descriptors, writes to its volume, room for an edit. A good
 * file is never called a bad one, nothing is left behind, and no restart is needed.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { openDiskStorage } from '../../server/platform/storage/disk/disk.ts';
import { eventually, temporaryFiles } from '../support/holdings.ts';
import { run } from '../support/mounts.ts';
import { type Answer, addPhoto, anonymous, register } from '../support/people.ts';
import { jpegWithExif } from '../support/pictures.ts';
import { startServer } from '../support/server-process.ts';
import { begin, head, patch, sha256 } from '../support/uploads.ts';
import { makeVolumes } from '../support/volumes.ts';

test('without descriptors everything is refused for now, and no file for what it is', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-descriptors-'));
  const server = await startServer({ dataDir });
  context.after(async () => {
    await server.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });
  const limit = (count: number) => run('prlimit', ['--pid', String(server.pid), `--nofile=${count}:`]);
  const isHere = await limit(1024).then(
    () => true,
    () => false,
  );
  if (!isHere) return context.skip('there is no prlimit here');
  const ann = await register(server, 'ann');
  const picture = await jpegWithExif();
  const photo = await addPhoto(ann, {}, picture);
  const rotate = { action: 'rotate', params: { angle: 90 } };
  const seen = new Set<number>();
  for (let free = 0; free < 16; free++) {
    // Bytes behind a picture's end are kept: every file is another.
    const file = Buffer.concat([picture, Buffer.from(String(free))]);
    const path = await begin(ann, file.length, { sha256: sha256(file) });
    await limit(readdirSync(`/proc/${server.pid}/fd`).length + free);
    // Where no connection can be taken, nothing is answered.
    const answers = await Promise.all(
      [ann.upload(file), patch(ann, path, 0, file), ann.post(`/api/photos/${photo.id}/edit`, rotate)].map(
        (asked: Promise<Answer>) => asked.catch(() => undefined),
      ),
    );
    await limit(1024);
    for (const answer of answers.filter((one) => one !== undefined)) {
      seen.add(answer.status);
      assert.ok([200, 503].includes(answer.status), `${free} free: ${answer.status} ${answer.bytes}`);
    }
    // It goes on where it was, or has become a photo.
    await eventually(async () => assert.equal((await head(ann, path)).status, 200));
    await eventually(async () => assert.deepEqual(await temporaryFiles(dataDir), []));
  }
  context.diagnostic(`answered with ${[...seen].join(' and ')}`);
  assert.ok(seen.has(503));
  await addPhoto(ann, {}, picture);
});

test('a volume that is read-only for a while keeps no temporary file for long', async (context) => {
  const volumes = await makeVolumes();
  if (typeof volumes === 'string') return context.skip(volumes);
  context.after(volumes.end);
  const { dataDir, files } = volumes;
  const storage = await openDiskStorage(dataDir);
  const file = await storage.temporary();
  assert.equal(await files.setReadOnly(true), undefined);
  await file.discard();
  const [left, ...others] = await temporaryFiles(dataDir);
  assert.ok(file.path.endsWith(left!) && others.length === 0);
  await assert.rejects(storage.temporary(), { code: 503 });
  await files.setReadOnly(false);
  // With the next file, or with the next sweep.
  await (await storage.temporary()).discard();
  assert.deepEqual(await temporaryFiles(dataDir), []);

  const other = await storage.temporary();
  await files.setReadOnly(true);
  await other.discard();
  await files.setReadOnly(false);
  assert.equal(await storage.clearTemporary(), 1);
  assert.deepEqual(await temporaryFiles(dataDir), []);
});

test('full volumes: an edit says so, a size is not made, and looking at them leaves nothing', async (context) => {
  const volumes = await makeVolumes();
  if (typeof volumes === 'string') return context.skip(volumes);
  const { dataDir, files, database } = volumes;
  const server = await startServer({ dataDir });
  context.after(async () => {
    await server.end('SIGKILL');
    await volumes.end();
  });
  const ann = await register(server, 'ann');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#000', noise } })
    .jpeg()
    .toBuffer();
  const { id } = await addPhoto(ann, {}, picture);
  await files.leaveFree(20_000);
  const step = { action: 'rotate', params: { angle: 90 } };
  const edited = await ann.post(`/api/photos/${id}/edit`, step);
  assert.deepEqual([edited.status, edited.body.code], [507, 507]);
  await files.leaveFree(0);
  // A size that cannot be stored: the preview instead.
  const { image } = (await ann.get(`/api/photos/${id}`)).body.data;
  assert.equal((await ann.get(image.replace('{width}', '320'))).status, 302);
  await database.leaveFree(0);
  assert.equal((await ann.get(image.replace('{width}', '640'))).status, 302);
  await database.makeRoom();
  for (let look = 0; look < 3; look++) assert.equal((await anonymous(server).get('/health')).status, 503);
  assert.deepEqual(await temporaryFiles(dataDir), []);
  await files.makeRoom();
  assert.equal((await ann.post(`/api/photos/${id}/edit`, step)).status, 200);
});
