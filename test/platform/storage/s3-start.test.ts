import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigError, readConfig } from '../../../server/config.ts';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { StorageUnusable } from '../../../server/platform/errors/storage.ts';
import { claimStorage } from '../../../server/platform/ownership/claim.ts';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { openS3Storage } from '../../../server/platform/storage/s3/s3.ts';
import { makeBucket, s3Environment, s3Keys } from '../../support/s3.ts';
import { type S3Fault, startS3Proxy } from '../../support/s3-proxy.ts';
import { makeDataDir } from './cases.ts';
import { askS3, makeS3Storage, shortTimeouts } from './s3-storage.ts';

const refusal = (pattern: RegExp) => (error: Error) => {
  assert.ok(error instanceof StorageUnusable, `${error}`);
  assert.match(error.message, pattern);
  return true;
};

test('keeps its id over restarts, also when several processes start at once', async (context) => {
  const url = await makeBucket();
  const opened = await Promise.all([1, 2, 3].map(() => makeS3Storage(context, url)));
  const again = await makeS3Storage(context, url);
  assert.deepEqual(new Set(opened.map(({ storage }) => storage.id)), new Set([again.storage.id]));
  assert.match(again.storage.id, /^[0-9a-f]{32}$/);
  assert.equal((await (await askS3(url, '.lightwell')).text()).trim(), again.storage.id);
});

for (const fault of ['unconditional', 'unimplemented'] satisfies S3Fault[]) {
  test(`a start without conditional writes fails the same way: ${fault}`, async (context) => {
    const proxy = await startS3Proxy();
    context.after(() => proxy.close());
    proxy.fault = () => fault;
    const url = await makeBucket(proxy.url);
    const opened = await Promise.all([1, 2, 3].map(() => makeS3Storage(context, url)));
    const again = await makeS3Storage(context, url);
    assert.deepEqual(new Set(opened.map(({ storage }) => storage.id)), new Set([again.storage.id]));
  });
}

test('two prefixes of a bucket are two storages, and a database refuses the other one', async (context) => {
  const bucket = await makeBucket();
  const { storage, dataDir } = await makeS3Storage(context, `${bucket}&prefix=one`);
  const other = await makeS3Storage(context, `${bucket}&prefix=two`);
  assert.notEqual(storage.id, other.storage.id);
  const db = await openDatabase({ dataDir, url: undefined, onError: () => {} });
  context.after(() => db.close());
  await claimStorage(db, storage);
  await claimStorage(db, storage);
  await assert.rejects(claimStorage(db, other.storage), refusal(/STORAGE_URL.*\.lightwell in s3:\/\/.*two/));
});

test('refuses photos without their marker, and writes none', async (context) => {
  const { storage, url } = await makeS3Storage(context);
  await storage.put([{ name: objectName(createObjectKey(), 'thumb', 'webp'), source: Buffer.from('x') }]);
  await askS3(url, '.lightwell', 'DELETE');
  await assert.rejects(storage.ping(), /marker/);
  await assert.rejects(makeS3Storage(context, url), refusal(/its marker .+ is missing/));
  assert.equal((await askS3(url, '.lightwell')).status, 404);
});

test('says what is wrong with the bucket, the keys or the address', async (context) => {
  const dataDir = await makeDataDir(context);
  const open = (url: string, keys = s3Keys) => openS3Storage({ url, keys, dataDir, timeouts: shortTimeouts });
  const bucket = await makeBucket();
  await assert.rejects(open(bucket.replace('test-', 'none-')), refusal(/s3:\/\/none-.*the bucket "none-/));
  await assert.rejects(
    open(bucket, { accessKeyId: 'WRONG', secretAccessKey: 'SECRET-KEY' }),
    (error: Error) => refusal(/refuses the keys/)(error) && !error.message.includes('SECRET-KEY'),
  );
  await assert.rejects(open('s3://bucket?endpoint=http://127.0.0.1:1'), refusal(/connection failed/));
});

test('a bucket that may be read but not written is refused', async (context) => {
  const proxy = await startS3Proxy();
  context.after(() => proxy.close());
  const url = await makeBucket(proxy.url);
  await makeS3Storage(context, url);
  proxy.fault = ({ method }) => (method === 'PUT' ? 'forbidden' : undefined);
  await assert.rejects(makeS3Storage(context, url), refusal(/refuses the keys, or an operation/));
});

test('settings are checked, each with its own words', () => {
  const mistakes = (env: Record<string, string>) => {
    try {
      readConfig(env);
      return '';
    } catch (error) {
      return (error as ConfigError).mistakes.join('\n');
    }
  };
  for (const [url, pattern] of [
    ['http://bucket', /^STORAGE_URL: must be s3:/],
    ['s3://', /STORAGE_URL: /],
    ['s3://key:secret@bucket', /must not contain keys/],
    ['s3://Bad_Bucket', /is not a valid bucket name/],
    ['s3://mv', /3 to 63 characters/],
    ['s3://bucket/folder', /prefix=/],
    ['s3://bucket?endpoint=ftp://x', /endpoint must be/],
    ['s3://bucket?zone=x', /not zone/],
    ['s3://bucket?prefix=a/../b', /prefix must consist of/],
  ] as const) {
    const said = mistakes({ STORAGE_URL: url });
    assert.match(said, pattern, url);
    assert.ok(!said.includes('secret@'), url);
  }
  assert.match(mistakes({ STORAGE_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'x' }), /set both of .+, or none/);
  assert.match(mistakes({ STORAGE_REDIRECT: '1' }), /needs STORAGE_URL/);
  assert.match(mistakes({ STORAGE_REDIRECT: 'perhaps' }), /must be 1 or 0/);
  assert.equal(mistakes({ AWS_ACCESS_KEY_ID: 'x' }), '', 'of no interest without a bucket');

  const url = 's3://my.bucket?endpoint=https://store.example.org/&region=eu-1&prefix=/a/b/';
  const config = readConfig(s3Environment(url));
  assert.equal(config.storageUrl, url);
  assert.deepEqual(config.storageKeys, s3Keys);
  const { STORAGE_URL: _, ...keys } = s3Environment(url);
  assert.deepEqual(readConfig(keys).storageKeys, s3Keys, 'for commands that are given a bucket');
});
