/** Tests a gallery on S3, through a proxy that simulates faults of networks and stores. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import pino from 'pino';
import sharp from 'sharp';
import { readConfig } from '../../../server/config.ts';
import { closeDeps, openDeps } from '../../../server/deps.ts';
import { findDeletionLock } from '../../../server/platform/ownership/deletion-lock.ts';
import { timeStorage } from '../../../server/platform/storage/open.ts';
import { openS3Storage } from '../../../server/platform/storage/s3/s3.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { orphanGraceSeconds } from '../../../server/tools/maintenance/orphans.ts';
import { makeDataDir } from '../../platform/storage/cases.ts';
import { shortTimeouts } from '../../platform/storage/s3-storage.ts';
import {
  countHoldings,
  listReferencedObjects,
  listStoredObjects,
  listTemporaryFiles,
} from '../../support/gallery-counts.ts';
import { startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, register } from '../../support/people.ts';
import { createJpeg, createJpegWithExif } from '../../support/pictures.ts';
import { makeBucket, s3Environment, s3Keys } from '../../support/s3.ts';
import { fullStoreAnswers, type S3Fault, startS3Proxy } from '../../support/s3-proxy.ts';
import { startServer } from '../../support/server-process.ts';

/** Number of objects that an upload stores: original, preview and thumbnail. */
const objectsOfUpload = 3;

/** Returns a JPEG of random noise, so that no two pictures are equal. */
function noise(size = 300): Promise<Buffer> {
  const gaussian = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: size, height: size, channels: 3, background: '#000', noise: gaussian } as const;
  return sharp({ create }).jpeg().toBuffer();
}

async function makeGallery(context: TestContext) {
  const proxy = await startS3Proxy();
  const dataDir = await makeDataDir(context);
  const url = await makeBucket(proxy.url);
  const storage = timeStorage(await openS3Storage({ url, keys: s3Keys, dataDir, timeouts: shortTimeouts }));
  const gallery = await startGallery({ dataDir, storageUrl: url, storageKeys: s3Keys }, { storage });
  context.after(async () => {
    await gallery.close();
    await proxy.close();
  });
  return { gallery, proxy, dataDir, owner: await register(gallery, 'owner') };
}

for (const fault of ['error', 'hang'] satisfies S3Fault[]) {
  test(`while S3 has the fault "${fault}": uploads, edits and reads are 503, nothing is half done; then it goes on`, async (context) => {
    const { gallery, proxy, dataDir, owner } = await makeGallery(context);
    const photo = await addPhoto(owner, {}, await createJpeg({ width: 900, height: 600 }));
    const before = await countHoldings(gallery.deps);
    const anybody = asVisitor(gallery);

    proxy.fault = () => fault;
    const answers = await Promise.all([
      owner.upload(await createJpeg()),
      owner.upload(await createJpeg()),
      owner.post(`/api/photos/${photo.id}/edit`, { action: 'rotate', params: { angle: 90 } }),
      owner.get(photo.path),
      owner.get(`/api/photos/${photo.id}/download`),
      anybody.get(photo.path),
      anybody.get(photo.thumb),
    ]);
    for (const { status, headers, body, bytes } of answers) {
      assert.deepEqual([status, body.code], [503, 503], bytes.toString());
      assert.equal(headers.get('retry-after'), '10');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.ok(!/127\.0\.0\.1|bucket|S3|InternalError/.test(bytes.toString()));
    }
    const health = await anybody.get('/health/ready');
    assert.equal(health.status, 503);
    assert.deepEqual(health.body.storage, { status: 'failed' });
    assert.deepEqual(health.body.database, { status: 'ok' });
    assert.equal((await anybody.get('/api/photos')).body.data.list.length, 1, 'lists need no storage');
    assert.deepEqual(await listTemporaryFiles(dataDir), []);
    const said = gallery.complaints().join('');
    assert.match(said, /request refused temporarily/);
    assert.ok(gallery.complaints().length < answers.length, 'one line for each cause');
    const figures = (await anybody.get('/metrics')).bytes.toString();
    assert.match(figures, /lightwell_storage_errors_total{reason="unavailable"} [1-9]/);
    assert.doesNotMatch(said, /AWS4-HMAC|S3RVER|X-Amz-Signature/, 'no keys and no signatures in the log');

    proxy.fault = () => undefined;
    assert.equal((await anybody.get('/health/ready')).status, 200);
    assert.equal((await anybody.get(photo.thumb)).status, 200);
    assert.deepEqual(await countHoldings(gallery.deps), before);
    await addPhoto(owner);
    await runMaintenance(gallery.deps, { graceSeconds: 0 });
    assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
  });
}

test('a store that is full is no space, whatever its words; the log has its code; then it goes on', async (context) => {
  const { gallery, proxy, dataDir, owner } = await makeGallery(context);
  const photo = await addPhoto(owner);
  const before = await countHoldings(gallery.deps);
  for (const store of Object.keys(fullStoreAnswers) as (keyof typeof fullStoreAnswers)[]) {
    proxy.fault = ({ method }) => (method === 'PUT' ? store : undefined);
    const told = gallery.complaints().length;
    const edit = { action: 'rotate', params: { angle: 90 } };
    const answers = [
      await owner.upload(await createJpeg()),
      await owner.post(`/api/photos/${photo.id}/edit`, edit),
    ];
    for (const { status, headers, body, bytes } of answers) {
      assert.deepEqual([status, body.code], [507, 507], `${store}: ${bytes}`);
      assert.equal(headers.get('retry-after'), null);
      assert.ok(!/quota|XMinio|cap exceeded|127\.0\.0\.1/i.test(bytes.toString()));
    }
    const said = gallery.complaints().slice(told).join('');
    const [status, words] = fullStoreAnswers[store];
    const code = /<Code>(.+?)<.Code>/.exec(words)?.[1] ?? `HTTP ${status}`;
    assert.ok(said.includes(code), `${code} in ${said}`);
    assert.doesNotMatch(said, /AWS4-HMAC|S3RVER|X-Amz-Signature/);
  }
  proxy.fault = () => undefined;
  assert.deepEqual(await countHoldings(gallery.deps), before);
  assert.deepEqual(await listTemporaryFiles(dataDir), []);
  await addPhoto(owner);
});

test('a server starts on a store that is full, and its stamp stays known however long that lasts', async (context) => {
  const { gallery, proxy, dataDir, owner } = await makeGallery(context);
  await addPhoto(owner);
  await runMaintenance(gallery.deps, { graceSeconds: undefined });
  for (const store of Object.keys(fullStoreAnswers) as (keyof typeof fullStoreAnswers)[]) {
    proxy.fault = ({ method }) => (method === 'PUT' ? store : undefined);
    const url = gallery.deps.config.storageUrl!;
    const storage = await openS3Storage({ url, keys: s3Keys, dataDir, timeouts: shortTimeouts });
    assert.equal(storage.id, gallery.deps.storage.id);
    await assert.rejects(storage.ping(), { name: 'StorageFull' });
  }
  // Runs maintenance more often than the number of storage epochs that the server keeps.
  for (let round = 0; round < 30; round++) await runMaintenance(gallery.deps, { graceSeconds: undefined });
  assert.equal(await findDeletionLock(gallery.deps), undefined);
  proxy.fault = () => undefined;
  await runMaintenance(gallery.deps, { graceSeconds: undefined });
  await runMaintenance(gallery.deps, { graceSeconds: undefined });
  assert.equal(await findDeletionLock(gallery.deps), undefined);
});

test('a store that is full before it is taken is told to be full, and not that its keys are wrong', async (context) => {
  const proxy = await startS3Proxy();
  context.after(() => proxy.close());
  const dataDir = await makeDataDir(context);
  const url = await makeBucket(proxy.url);
  proxy.fault = ({ method }) => (method === 'PUT' ? 'radosgw' : undefined);
  const opening = openS3Storage({ url, keys: s3Keys, dataDir, timeouts: shortTimeouts });
  await assert.rejects(opening, /Cannot use the storage .+: the store is full \(QuotaExceeded\)\.$/);
});

test('while three in ten requests to S3 fail, what is acknowledged is there, the rest a clear 503', async (context) => {
  const { gallery, proxy, owner } = await makeGallery(context);
  const kept = new Map<number, string>();
  let refused = 0;
  let asked = 0;
  const faults: (S3Fault | undefined)[] = ['error', undefined, 'reset', undefined, undefined];
  faults.push('lost', undefined, undefined, undefined, undefined);
  proxy.fault = () => faults[(asked++ * 7) % faults.length];

  async function uploadSome(): Promise<void> {
    for (let round = 0; round < 8; round++) {
      const picture = await noise();
      const { status, body, headers } = await owner.upload(picture);
      if (status === 200) kept.set(body.data.id, createHash('sha256').update(picture).digest('hex'));
      else {
        refused++;
        assert.deepEqual([status, headers.get('retry-after')], [503, '10']);
      }
    }
  }
  await Promise.all([uploadSome(), uploadSome(), uploadSome()]);
  proxy.fault = () => undefined;

  assert.ok(kept.size > 0 && kept.size + refused === 24);
  for (const [id, sha256] of kept) {
    const { status, bytes } = await owner.get(`/api/photos/${id}/download`);
    assert.equal(status, 200);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
  assert.equal((await countHoldings(gallery.deps)).photos, kept.size);
  await runMaintenance(gallery.deps, { graceSeconds: 0 });
  assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
});

test('bytes that S3 gives wrong are never sent as a picture', async (context) => {
  const { proxy, gallery, owner } = await makeGallery(context);
  const picture = await noise(1200);
  const photo = await addPhoto(owner, {}, picture);
  proxy.fault = ({ method }) => (method === 'GET' ? 'wrong' : undefined);
  assert.equal((await asVisitor(gallery).get(photo.thumb)).status, 503);
  // The file is larger than the server's buffer, so the response has begun when the fault appears, and the
  // server aborts the response.
  await assert.rejects(owner.get(`/api/photos/${photo.id}/download`), TypeError);
  proxy.fault = () => undefined;
  assert.ok(picture.equals((await owner.get(`/api/photos/${photo.id}/download`)).bytes));
});

test('a clean copy and its ranges come from ranges of the object, and hold no more than before', async (context) => {
  const { proxy, gallery, owner } = await makeGallery(context);
  const photo = await addPhoto(owner, {}, await createJpegWithExif());
  const anybody = asVisitor(gallery);
  const whole = await anybody.get(photo.path);
  assert.equal(whole.status, 200);
  assert.ok(!whole.bytes.includes('SERIAL-12345'));
  const raw = await owner.get(photo.path);
  assert.ok(raw.bytes.includes('SERIAL-12345'));
  const part = await anybody.get(photo.path, { range: 'bytes=10-99' });
  assert.equal(part.status, 206);
  assert.deepEqual(part.bytes, whole.bytes.subarray(10, 100));
  proxy.fault = () => 'rangeless';
  const outcome = await anybody.get(photo.path).catch(() => undefined);
  assert.ok(outcome === undefined || outcome.status === 503, 'cut off, or refused');
});

test('a server killed between storing and committing leaves objects that the maintenance run removes', async (context) => {
  const proxy = await startS3Proxy();
  context.after(() => proxy.close());
  const dataDir = await makeDataDir(context);
  const environment = s3Environment(await makeBucket(proxy.url));
  let server = await startServer({ dataDir, environment });
  context.after(() => server.end('SIGKILL'));
  const owner = await register(server, 'owner');
  const first = await addPhoto(owner);

  let stored = 0;
  proxy.done = ({ method }) => {
    if (method === 'PUT' && ++stored === objectsOfUpload) process.kill(server.pid, 'SIGKILL');
  };
  await assert.rejects(owner.upload(await createJpeg()));
  await server.end('SIGKILL');
  assert.equal(stored, objectsOfUpload);
  server = await startServer({ dataDir, environment });

  const config = readConfig({ DATA_DIR: dataDir, ...environment });
  const deps = await openDeps(config, pino({ level: 'silent' }));
  context.after(() => closeDeps(deps));
  assert.equal((await listStoredObjects(deps)).length, 2 * objectsOfUpload);
  const kept = await runMaintenance(deps, { graceSeconds: orphanGraceSeconds });
  assert.equal(kept.orphans, 0, 'not before the grace period is over');
  const { orphans } = await runMaintenance(deps, { graceSeconds: 0 });
  assert.equal(orphans, objectsOfUpload);
  assert.deepEqual(await listStoredObjects(deps), await listReferencedObjects(deps));
  assert.deepEqual(await listTemporaryFiles(dataDir), []);
  const { body } = await asVisitor(server).get('/api/photos');
  assert.deepEqual(
    body.data.list.map(({ id }: { id: number }) => id),
    [first.id],
  );
});
