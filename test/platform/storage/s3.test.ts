import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { makeBucket } from '../../support/s3.ts';
import { askS3, makeS3Storage } from './s3-storage.ts';

const bytes = Buffer.from('0123456789');

test('stores buffers and temporary files, and reads them back', async (context) => {
  const { storage, dataDir, url } = await makeS3Storage(context);
  const key = createObjectKey();
  const [original, thumb] = [objectName(key, 'original', 'jpg'), objectName(key, 'thumb', 'webp')];
  const file = await storage.temporary();
  await appendFile(file.path, bytes);
  await storage.put([
    { name: original, source: file },
    { name: thumb, source: Buffer.from('thumb') },
  ]);

  assert.deepEqual(await readdir(join(dataDir, 'tmp')), [], 'the temporary file is gone');
  assert.deepEqual(await storage.read(original), bytes);
  assert.equal((await storage.read(thumb))?.toString(), 'thumb');
  const stored = await storage.stat(original);
  assert.equal(stored?.size, 10);
  assert.ok(Math.abs(stored.modified - Date.now() / 1000) < 5);
  assert.deepEqual(await Array.fromAsync(storage.list()), [[original, thumb]]);
  const head = await askS3(url, original, 'HEAD');
  assert.equal(head.headers.get('x-amz-meta-sha256'), createHash('sha256').update(bytes).digest('hex'));
  assert.equal(head.headers.get('content-length'), '10', 'no framing of checksums around the content');

  const local = await storage.openLocalFile(original);
  assert.deepEqual(await readFile(local!.path), bytes);
  await local!.release();
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
});

test('sends large files and buffers in parts, and the store has exactly their bytes', async (context) => {
  const { storage, dataDir } = await makeS3Storage(context);
  for (const size of [16 * 1024 * 1024 + 1, 25_000_000]) {
    const large = randomBytes(size);
    const file = await storage.temporary();
    await writeFile(file.path, large);
    const names = [createObjectKey(), createObjectKey()].map((key) => objectName(key, 'original', 'png'));
    const sha256 = createHash('sha256').update(large).digest('hex');
    await storage.put([
      { name: names[0]!, source: file, sha256 },
      { name: names[1]!, source: large },
    ]);
    for (const name of names) {
      assert.equal((await storage.stat(name))?.size, size);
      assert.ok(large.equals(await buffer((await storage.open(name))!)));
    }
    const tail = await buffer((await storage.open(names[0]!, { start: size - 5, end: size }))!);
    assert.deepEqual(tail, large.subarray(-5));
    const local = await storage.openLocalFile(names[0]!);
    assert.equal((await stat(local!.path)).size, size);
    await local!.release();
  }
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
});

test('refuses to send a temporary file that has changed', async (context) => {
  const { storage } = await makeS3Storage(context);
  const file = await storage.temporary();
  await writeFile(file.path, bytes);
  const name = objectName(createObjectKey(), 'original', 'jpg');
  const sha256 = createHash('sha256').update('0123456780').digest('hex');
  await assert.rejects(storage.put([{ name, source: file, sha256 }]));
  assert.equal(await storage.stat(name), undefined);
  await assert.rejects(stat(file.path), { code: 'ENOENT' });
});

test('reads ranges', async (context) => {
  const { storage } = await makeS3Storage(context);
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
  await assert.rejects(storage.open(name, { start: 5, end: 11 }), { name: 'StorageUnavailable' });
});

test('answers undefined for what is not there, and removes it without complaint', async (context) => {
  const { storage, dataDir } = await makeS3Storage(context);
  const name = objectName(createObjectKey(), 'thumb', 'webp');
  assert.equal(await storage.open(name), undefined);
  assert.equal(await storage.read(name), undefined);
  assert.equal(await storage.stat(name), undefined);
  assert.equal(await storage.openLocalFile(name), undefined);
  await storage.remove(name);
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
});

test('asks the store for no odd name', async (context) => {
  const { storage } = await makeS3Storage(context);
  for (const name of ['../x', '.lightwell', 'aa/../../x', `${createObjectKey()}.thumb.webp\0`]) {
    await assert.rejects(async () => storage.read(name), /not a valid object name/);
    await assert.rejects(async () => storage.open(name), /not a valid object name/);
    await assert.rejects(async () => storage.stat(name), /not a valid object name/);
    await assert.rejects(async () => storage.remove(name), /not a valid object name/);
    await assert.rejects(storage.put([{ name, source: bytes }]));
  }
  assert.equal(await storage.read(objectName(createObjectKey(), 'thumb', 'webp')), undefined);
});

test('deletes objects', async (context) => {
  const { storage } = await makeS3Storage(context);
  const [gone, kept] = [createObjectKey(), createObjectKey()].map((key) =>
    objectName(key, 'thumb', 'webp'),
  ) as [string, string];
  await storage.put([gone, kept].map((name) => ({ name, source: bytes })));
  await storage.remove(gone);
  assert.equal(await storage.stat(gone), undefined);
  assert.deepEqual((await Array.fromAsync(storage.list())).flat(), [kept]);
});

test('lists page by page, what is under the prefix and is an object', async (context) => {
  const url = `${await makeBucket()}&prefix=photos/mine`;
  const { storage } = await makeS3Storage(context, url);
  const elsewhere = await makeS3Storage(context, url.replace('/mine', '/yours'));
  const names = Array.from({ length: 1030 }, () => objectName(createObjectKey(), 'thumb', 'webp')).sort();
  for (let start = 0; start < names.length; start += 50) {
    await storage.put(names.slice(start, start + 50).map((name) => ({ name, source: bytes })));
  }
  await elsewhere.storage.put([{ name: objectName(createObjectKey(), 'thumb', 'webp'), source: bytes }]);
  await askS3(url, 'photos/mine/notes.txt', 'PUT', 'x');

  const batches = await Array.fromAsync(storage.list());
  assert.deepEqual(batches.flat(), names);
  assert.ok(batches.length >= 2 && batches.every((batch) => batch.length <= 1000));
});
