import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { makeStorage } from './cases.ts';

const bytes = Buffer.from('0123456789');

test('stores buffers and temporary files, and reads them back', async (context) => {
  const { storage, dataDir } = await makeStorage(context);
  const key = createObjectKey();
  const [original, thumb] = [objectName(key, 'original', 'jpg'), objectName(key, 'thumb', 'webp')];
  const file = await storage.temporary();
  await appendFile(file.path, bytes);
  await storage.put([
    { name: original, source: file },
    { name: thumb, source: Buffer.from('thumb') },
  ]);

  assert.deepEqual(await storage.read(original), bytes);
  assert.equal((await storage.read(thumb))?.toString(), 'thumb');
  const stored = await storage.stat(original);
  assert.equal(stored?.size, 10);
  assert.ok(Math.abs(stored.modified - Date.now() / 1000) < 5);
  assert.deepEqual(await Array.fromAsync(storage.list()), [[original, thumb]]);
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
  assert.ok((await stat(join(dataDir, 'files', key.slice(0, 2), original))).isFile());

  const local = await storage.openLocalFile(original);
  assert.equal((await stat(local!.path)).size, 10);
  await local!.release();
});

test('reads ranges', async (context) => {
  const { storage } = await makeStorage(context);
  const name = objectName(createObjectKey(), 'original', 'jpg');
  await storage.put([{ name, source: bytes }]);
  for (const [start, end, expected] of [
    [0, 10, '0123456789'],
    [3, 4, '3'],
    [9, 10, '9'],
    [5, 5, ''],
  ] as const) {
    assert.equal((await buffer((await storage.open(name, { start, end }))!)).toString(), expected);
  }
});

test('answers undefined for what is not there, and removes it without complaint', async (context) => {
  const { storage } = await makeStorage(context);
  const name = objectName(createObjectKey(), 'thumb', 'webp');
  assert.equal(await storage.open(name), undefined);
  assert.equal(await storage.read(name), undefined);
  assert.equal(await storage.stat(name), undefined);
  assert.equal(await storage.openLocalFile(name), undefined);
  await storage.remove(name);
});

test('turns no odd name into a path', async (context) => {
  const { storage } = await makeStorage(context);
  for (const name of ['../lightwell.db', '.lightwell', 'aa/../../x', `${createObjectKey()}.thumb.webp\0`]) {
    await assert.rejects(async () => storage.read(name));
    await assert.rejects(async () => storage.remove(name));
  }
});

test('a put that fails in the middle leaves nothing behind', async (context) => {
  const { storage, dataDir } = await makeStorage(context);
  const [good, bad] = [createObjectKey(), createObjectKey()].map((key) =>
    objectName(key, 'original', 'jpg'),
  ) as [string, string];
  // A folder in the place of the second object makes its rename fail after the first object was stored.
  await mkdir(join(dataDir, 'files', bad.slice(0, 2), bad, 'x'), { recursive: true });
  const file = await storage.temporary();
  await writeFile(file.path, bytes);
  await assert.rejects(
    storage.put([
      { name: good, source: file },
      { name: bad, source: bytes },
    ]),
  );
  assert.equal(await storage.stat(good), undefined);
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
  await file.discard();
});

test('a volume that vanished is unavailable, and its mount point stays empty', async (context) => {
  const { storage, dataDir } = await makeStorage(context);
  await rm(join(dataDir, 'files'), { recursive: true });
  await mkdir(join(dataDir, 'files'));
  const name = objectName(createObjectKey(), 'thumb', 'webp');
  await assert.rejects(storage.put([{ name, source: bytes }]), { name: 'StorageUnavailable' });
  await assert.rejects(storage.ping(), /marker/);
  assert.deepEqual(await readdir(join(dataDir, 'files')), []);
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
});

test('closes descriptors of streams that are read, broken off, or never read', async (context) => {
  const { storage } = await makeStorage(context);
  const name = objectName(createObjectKey(), 'original', 'jpg');
  await storage.put([{ name, source: Buffer.alloc(3_000_000) }]);
  const before = await openDescriptors();
  for (let round = 0; round < 20; round++) {
    await buffer((await storage.open(name))!);
    (await storage.open(name))!.destroy();
    for await (const _chunk of (await storage.open(name))!) break;
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok((await openDescriptors()) <= before);
});

test('pings share one attempt and leave one small file', async (context) => {
  const { storage, dataDir } = await makeStorage(context);
  await Promise.all(Array.from({ length: 20 }, () => storage.ping()));
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
  assert.deepEqual((await readdir(join(dataDir, 'files'))).filter((name) => name.startsWith('.')).sort(), [
    '.lightwell',
    '.ping',
  ]);
  assert.deepEqual(await Array.fromAsync(storage.list()), []);
});

async function openDescriptors(): Promise<number> {
  return (await readdir('/proc/self/fd').catch(() => [])).length;
}
