import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { readGallerySecret } from '../../../server/platform/db/secret.ts';
import { StorageUnusable } from '../../../server/platform/errors/storage.ts';
import { claimStorage } from '../../../server/platform/ownership/claim.ts';
import { openDiskStorage } from '../../../server/platform/storage/disk/disk.ts';
import { startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, register } from '../../support/people.ts';
import { startServer } from '../../support/server-process.ts';
import { makeDataDir } from './cases.ts';

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

test('keeps its id over restarts, also when two processes start at once', async (context) => {
  const dataDir = await makeDataDir(context);
  const opened = await Promise.all([
    openDiskStorage(dataDir),
    openDiskStorage(dataDir),
    openDiskStorage(dataDir),
  ]);
  const again = await openDiskStorage(dataDir);
  assert.deepEqual(new Set(opened.map(({ id }) => id)), new Set([again.id]));
  assert.match(again.id, /^[0-9a-f]{32}$/);
});

test('refuses an empty mount point beside a database, and writes nothing into it', async (context) => {
  const dataDir = await makeDataDir(context);
  await mkdir(join(dataDir, 'files'));
  await writeFile(join(dataDir, 'lightwell.db'), '');
  await assert.rejects(openDiskStorage(dataDir), (error: Error) => {
    assert.ok(error instanceof StorageUnusable);
    assert.match(error.message, /marker .*volume not mounted/s);
    return true;
  });
  assert.deepEqual(await readdir(join(dataDir, 'files')), []);
});

test('refuses a folder that cannot be written', async (context) => {
  const dataDir = await makeDataDir(context);
  await openDiskStorage(dataDir);
  // Puts a file in the place of the folder for temporary files. The server then fails as root, too.
  await rm(join(dataDir, 'tmp'), { recursive: true });
  await writeFile(join(dataDir, 'tmp'), '');
  await assert.rejects(openDiskStorage(dataDir), StorageUnusable);
});

test('makes folders again that a restored backup lacks', async (context) => {
  const dataDir = await makeDataDir(context);
  await openDiskStorage(dataDir);
  await rm(join(dataDir, 'files', '7f'), { recursive: true });
  await openDiskStorage(dataDir);
  assert.ok((await readdir(join(dataDir, 'files'))).includes('7f'));
});

test('clears temporary files of processes that are gone, and no others', async (context) => {
  const dataDir = await makeDataDir(context);
  const storage = await openDiskStorage(dataDir);
  const own = await storage.temporary();
  const running = spawn('sleep', ['60']);
  context.after(() => running.kill('SIGKILL'));
  const gone = spawn('true');
  await new Promise((resolve) => gone.once('exit', resolve));
  const tmp = join(dataDir, 'tmp');
  const put = (name: string) => writeFile(join(tmp, name), 'x');
  const longAgo = new Date(Date.now() - 2 * 3_600_000);

  const kept = [`${host}-${running.pid}-00000000-01`, '00000000-1-00000000-02', 'unknown'];
  const cleared = [
    `${host}-${gone.pid}-00000000-03`,
    `${host}-${process.pid}-00000000-04`,
    '00000000-1-00000000-05',
  ];
  await Promise.all([...kept, ...cleared].map(put));
  await utimes(join(tmp, cleared[2]!), longAgo, longAgo);

  const again = await openDiskStorage(dataDir);
  const left = (await readdir(tmp)).filter((name) => !own.path.endsWith(name));
  assert.deepEqual(left.sort(), kept.sort());
  assert.equal(await again.clearTemporary(), 0);
});

test('a database refuses a storage that is not its own', async (context) => {
  const [dataDir, otherDir] = [await makeDataDir(context), await makeDataDir(context)];
  const [storage, other] = [await openDiskStorage(dataDir), await openDiskStorage(otherDir)];
  const db = await openDatabase({ dataDir, url: undefined, onError: () => {} });
  context.after(() => db.close());
  await claimStorage(db, storage);
  await claimStorage(db, storage);
  await assert.rejects(claimStorage(db, other), StorageUnusable);

  const secrets = await Promise.all(Array.from({ length: 5 }, () => readGallerySecret(db)));
  assert.equal(new Set(secrets).size, 1);
  assert.match(secrets[0]!, /^[0-9a-f]{64}$/);
});

test('starts no server beside a storage that vanished or belongs to another gallery, and serves its own again', async (context) => {
  const [dataDir, otherDir] = [await makeDataDir(context), await makeDataDir(context)];
  const start = (dataDir: string) => startGallery({ dataDir, databaseUrl: undefined, storageUrl: undefined });
  const gallery = await start(dataDir);
  const { thumb } = await addPhoto(await register(gallery, 'ann'));
  await gallery.close();
  await rename(join(dataDir, 'files'), join(dataDir, 'elsewhere'));
  await assert.rejects(startServer({ dataDir }), /ended with 1:[\s\S]*marker/);

  await (await start(otherDir)).close();
  await rename(join(otherDir, 'files'), join(dataDir, 'files'));
  await assert.rejects(start(dataDir), /does not belong to/);

  await rm(join(dataDir, 'files'), { recursive: true });
  await rename(join(dataDir, 'elsewhere'), join(dataDir, 'files'));
  const again = await start(dataDir);
  context.after(() => again.close());
  assert.equal((await asVisitor(again).get(thumb)).status, 200);
});
