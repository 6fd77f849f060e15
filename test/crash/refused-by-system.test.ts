/**
 * The system denies a running server file descriptors, writes, or space on its volumes. The server must
 * refuse clearly, never reject a valid file as broken, leave no files behind, and recover without a restart.
 * `npm run torture -- disk` does the same under load.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import sharp from 'sharp';
import { openDatabase } from '../../server/platform/db/index.ts';
import { openDiskStorage } from '../../server/platform/storage/disk/disk.ts';
import {
  countHoldings,
  eventually,
  listFilesOnDisk,
  listObjectsOnDisk,
  listReferencedObjects,
  listTemporaryFiles,
} from '../support/gallery-counts.ts';
import { runProgram } from '../support/mounts.ts';
import { assertNoLeak } from '../support/payloads.ts';
import { type Answer, addPhoto, asVisitor, createPerson, register } from '../support/people.ts';
import { createJpegWithExif } from '../support/pictures.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { hashSha256, readUploadHead, sendChunk, startUpload } from '../support/uploads.ts';
import { makeVolumes } from '../support/volumes.ts';

test('a server without descriptors refuses everything for now and blames no file', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-descriptors-'));
  const server = await startServer({ dataDir });
  context.after(async () => {
    await server.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });
  const limit = (count: number) => runProgram('prlimit', ['--pid', String(server.pid), `--nofile=${count}:`]);
  const isHere = await limit(1024).then(
    () => true,
    () => false,
  );
  if (!isHere) return context.skip('there is no prlimit here');
  const ann = await register(server, 'ann');
  const picture = await createJpegWithExif();
  const photo = await addPhoto(ann, {}, picture);
  const rotate = { action: 'rotate', params: { angle: 90 } };
  const seen = new Set<number>();
  for (let free = 0; free < 16; free++) {
    // The server stores bytes after the picture's end, so an added number makes every file different.
    const file = Buffer.concat([picture, Buffer.from(String(free))]);
    const path = await startUpload(ann, file.length, { sha256: hashSha256(file) });
    await limit(readdirSync(`/proc/${server.pid}/fd`).length + free);
    // A server that cannot accept a connection sends no response, so `fetch` fails.
    const answers = await Promise.all(
      [ann.upload(file), sendChunk(ann, path, 0, file), ann.post(`/api/photos/${photo.id}/edit`, rotate)].map(
        (asked: Promise<Answer>) => asked.catch(() => undefined),
      ),
    );
    await limit(1024);
    for (const answer of answers.filter((one) => one !== undefined)) {
      seen.add(answer.status);
      assert.ok([200, 503].includes(answer.status), `${free} free: ${answer.status} ${answer.bytes}`);
    }
    // The interrupted upload can be resumed, or it has already become a photo.
    await eventually(async () => assert.equal((await readUploadHead(ann, path)).status, 200));
    await eventually(async () => assert.deepEqual(await listTemporaryFiles(dataDir), []));
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
  const [left, ...others] = await listTemporaryFiles(dataDir);
  assert.ok(file.path.endsWith(left!) && others.length === 0);
  await assert.rejects(storage.temporary(), { name: 'StorageUnavailable' });
  await files.setReadOnly(false);
  // The server deletes leftover temporary files with the next file or in the next maintenance run.
  await (await storage.temporary()).discard();
  assert.deepEqual(await listTemporaryFiles(dataDir), []);

  const other = await storage.temporary();
  await files.setReadOnly(true);
  await other.discard();
  await files.setReadOnly(false);
  assert.equal(await storage.clearTemporary(), 1);
  assert.deepEqual(await listTemporaryFiles(dataDir), []);
});

test('a full volume refuses uploads and edits, keeps nothing half, and recovers', async (context) => {
  const volumes = await makeVolumes();
  if (typeof volumes === 'string') return context.skip(volumes);
  const { dataDir, files, database } = volumes;
  let server: ServerProcess | undefined;
  context.after(async () => {
    await server?.end('SIGKILL');
    await volumes.end();
  });
  server = await startServer({ dataDir });
  const visitor = asVisitor(server);
  const ann = await register(server, 'ann');
  const db = await openDatabase({ dataDir, url: undefined, onError: () => {} });
  const place = { db, storage: listFilesOnDisk(dataDir), config: { dataDir } };
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 95 })
    .toBuffer();
  const { id } = await addPhoto(ann, {}, picture);

  for (const volume of [files, database]) {
    const statuses: number[] = [];
    for (let free = 0; free < 1_200_000; free += 200_000) {
      const before = await countHoldings(place);
      await volume.leaveFree(free);
      const answer = await ann.upload(picture);
      statuses.push(answer.status);
      if (answer.status !== 200) {
        assert.ok([503, 507].includes(answer.status), `${answer.status} ${answer.bytes}`);
        assert.equal(answer.body.code, answer.status);
        assert.doesNotMatch(answer.bytes.toString(), /ENOSPC|disk is full|SQLITE/);
      }
      assert.equal((await visitor.get(`/api/photos/${id}`)).status, 200, 'reads go on');
      await volume.makeRoom();
      const kept = answer.status === 200 ? 1 : 0;
      await eventually(async () => {
        const now = await countHoldings(place);
        assert.deepEqual([now.photos, now.temporary], [before.photos + kept, 0]);
        assert.deepEqual(await listObjectsOnDisk(dataDir), await listReferencedObjects({ db }));
      });
    }
    context.diagnostic(`${volume.name}: answers by free space: ${statuses.join(' ')}`);
    if (volume === files) assert.ok(statuses.includes(507), statuses.join());
  }

  await files.leaveFree(20_000);
  const step = { action: 'rotate', params: { angle: 90 } };
  const edited = await ann.post(`/api/photos/${id}/edit`, step);
  assert.deepEqual([edited.status, edited.body.code], [507, 507]);
  await files.leaveFree(0);
  // If a size cannot be stored, the server redirects to the preview.
  const { image } = (await ann.get(`/api/photos/${id}`)).body.data;
  assert.equal((await ann.get(image.replace('{width}', '320'))).status, 302);
  await database.leaveFree(0);
  assert.equal((await ann.get(image.replace('{width}', '640'))).status, 302);
  await database.makeRoom();
  for (let look = 0; look < 3; look++) assert.equal((await visitor.get('/health')).status, 503);
  assert.deepEqual(await listTemporaryFiles(dataDir), []);
  await files.makeRoom();
  const recovered = await ann.upload(picture);
  assertNoLeak(recovered, 'an upload after space was made');
  assert.equal(recovered.status, 200);
  assert.equal((await ann.post(`/api/photos/${id}/edit`, step)).status, 200);

  await db.close();
  assert.equal(await server.end('SIGTERM'), 0);
  const check = new DatabaseSync(join(dataDir, 'lightwell.db'));
  assert.equal(Object.values(check.prepare('PRAGMA integrity_check').get()!)[0], 'ok');
  check.close();
  assert.equal(await files.setReadOnly(true), undefined);
  await assert.rejects(startServer({ dataDir }), /ended with 1:/, 'a read-only storage');
  assert.equal(await files.setReadOnly(false), undefined);
  server = await startServer({ dataDir });
  const again = createPerson(server, ann.name, ann.token, ann.id);
  const { id: last } = recovered.body.data;
  assert.equal((await again.get(`/api/photos/${last}/download`)).bytes.length, picture.length);
});
