import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { makeBucket } from '../../support/s3.ts';
import { type S3Fault, startS3Proxy } from '../../support/s3-proxy.ts';
import { makeS3Storage, shortTimeouts } from './s3-storage.ts';

const bytes = Buffer.from('0123456789');
const newName = () => objectName(createObjectKey(), 'original', 'jpg');
/**
 * Maximum milliseconds until all calls have failed: twice the timeout `shortTimeouts.call`, and a reserve for a busy
 * machine.
 */
const maxMs = 30_000;

async function makeFaulty(context: TestContext) {
  const proxy = await startS3Proxy();
  context.after(() => proxy.close());
  const made = await makeS3Storage(context, await makeBucket(proxy.url), shortTimeouts);
  const temporary = () => readdir(join(made.dataDir, 'tmp'));
  const names = async () => (await Array.fromAsync(made.storage.list())).flat().sort();
  return { ...made, proxy, temporary, names };
}

for (const fault of ['error', 'hang', 'reset', 'lost'] satisfies S3Fault[]) {
  test(`a store with the fault "${fault}" is 503 for everything, soon; then it works again`, async (context) => {
    const { storage, proxy, temporary, names } = await makeFaulty(context);
    const [stored, fresh] = [newName(), newName()];
    await storage.put([{ name: stored, source: bytes }]);
    const file = await storage.temporary();
    await writeFile(file.path, bytes);

    proxy.fault = () => fault;
    const started = performance.now();
    const calls: Record<string, Promise<unknown>> = {
      put: storage.put([{ name: fresh, source: file }]),
      open: storage.open(stored),
      read: storage.read(stored),
      local: storage.openLocalFile(stored),
      stat: storage.stat(stored),
      list: names(),
      remove: storage.remove(newName()),
      ping: storage.ping(),
    };
    await Promise.all(
      Object.entries(calls).map(([what, call]) =>
        assert.rejects(call, { name: 'StorageUnavailable', retryAfter: 10 }, what),
      ),
    );
    assert.ok(performance.now() - started < maxMs);
    assert.deepEqual(await temporary(), []);

    proxy.fault = () => undefined;
    await storage.ping();
    assert.deepEqual(await storage.read(stored), bytes);
    await storage.put([{ name: fresh, source: bytes }]);
    assert.deepEqual(await names(), [stored, fresh].sort());
  });
}

for (const fault of ['error', 'reset', 'hang', 'lost'] satisfies S3Fault[]) {
  test(`a single "${fault}" goes unnoticed`, async (context) => {
    const { storage, proxy } = await makeFaulty(context);
    const name = newName();
    const once = () => {
      let met = false;
      proxy.fault = () => {
        if (met) return undefined;
        met = true;
        return fault;
      };
    };
    once();
    await storage.put([{ name, source: bytes }]);
    once();
    assert.deepEqual(await storage.read(name), bytes);
    once();
    assert.equal((await storage.stat(name))?.size, 10);
    once();
    await storage.remove(name);
    assert.equal(await storage.read(name), undefined);
  });
}

for (const fault of ['half', 'stall', 'wrong'] satisfies S3Fault[]) {
  test(`a body with the fault "${fault}" never ends well`, async (context) => {
    const { storage, proxy, temporary } = await makeFaulty(context);
    const [small, large] = [newName(), newName()];
    const content = randomBytes(3_000_000);
    await storage.put([
      { name: small, source: bytes },
      { name: large, source: content },
    ]);
    let left = Number.POSITIVE_INFINITY;
    proxy.fault = ({ method }) => (method === 'GET' && left-- > 0 ? fault : undefined);

    for (const [name, whole] of [
      [small, bytes],
      [large, content],
    ] as const) {
      const received: Buffer[] = [];
      const body = (await storage.open(name))!;
      body.on('data', (chunk: Buffer) => received.push(chunk));
      const error = await new Promise<Error | undefined>((resolve) => {
        body.on('error', resolve).on('end', () => resolve(undefined));
      });
      assert.equal((error as Error | undefined)?.name, 'StorageUnavailable');
      assert.ok(Buffer.concat(received).length < whole.length, 'the last bytes are held back');
      await assert.rejects(storage.read(name), { name: 'StorageUnavailable' });
      await assert.rejects(storage.openLocalFile(name), { name: 'StorageUnavailable' });
    }
    assert.deepEqual(await temporary(), []);

    left = 1;
    assert.deepEqual(await storage.read(small), bytes, 'what is read whole is asked for again');
    left = 1;
    const local = await storage.openLocalFile(large);
    await local!.release();
    assert.deepEqual(await temporary(), []);
  });
}

for (const fault of ['damage', 'garble'] satisfies S3Fault[]) {
  test(`an object that arrives otherwise than it was sent is not stored: ${fault}`, async (context) => {
    const { storage, proxy, names } = await makeFaulty(context);
    proxy.fault = ({ method }) => (method === 'PUT' ? fault : undefined);
    const objects = [newName(), newName()].map((name) => ({ name, source: bytes }));
    await assert.rejects(storage.put(objects), { name: 'StorageUnavailable' });
    const wasReadBack = proxy.seen.some(
      ({ method, path }) => method === 'GET' && path.includes('.original.'),
    );
    assert.equal(wasReadBack, fault === 'garble', 'a store that compares has refused it itself');
    proxy.fault = () => undefined;
    assert.deepEqual(await names(), []);
  });
}

test('a put of several of which one fails leaves none', async (context) => {
  const { storage, proxy, names, temporary } = await makeFaulty(context);
  const [good, bad] = [newName(), newName()];
  const file = await storage.temporary();
  await writeFile(file.path, bytes);
  proxy.fault = ({ method, path }) => (method === 'PUT' && path.includes(bad) ? 'lost' : undefined);
  const objects = [
    { name: good, source: bytes },
    { name: bad, source: file },
  ];
  await assert.rejects(storage.put(objects), { name: 'StorageUnavailable', retryAfter: 10 });
  assert.deepEqual(await names(), []);
  assert.deepEqual(await temporary(), []);
});

test('files that wait for a store that does not answer are told soon, too', async (context) => {
  const { storage, proxy, temporary } = await makeFaulty(context);
  const files = await Promise.all(Array.from({ length: 16 }, () => storage.temporary()));
  await Promise.all(files.map((file) => writeFile(file.path, bytes)));
  proxy.fault = () => 'hang';
  const started = performance.now();
  const puts = files.map((source) => storage.put([{ name: newName(), source }]));
  await Promise.all(puts.map((put) => assert.rejects(put, { name: 'StorageUnavailable' })));
  assert.ok(performance.now() - started < 2 * maxMs);
  assert.deepEqual(await temporary(), []);
});

test('a store with ETags of its own is read back, small and large', async (context) => {
  const { storage, proxy } = await makeFaulty(context);
  proxy.fault = ({ method }) => (method === 'PUT' || method === 'POST' ? 'etag' : undefined);
  const name = newName();
  await storage.put([{ name, source: bytes }]);
  assert.ok(proxy.seen.some(({ method, path }) => method === 'GET' && path.includes(name)));
  assert.deepEqual(await storage.read(name), bytes);
});

test('a store that ignores ranges is refused: what lies around a clean copy must not be sent', async (context) => {
  const { storage, proxy } = await makeFaulty(context);
  const name = newName();
  await storage.put([{ name, source: bytes }]);
  proxy.fault = () => 'rangeless';
  await assert.rejects(storage.open(name, { start: 2, end: 5 }), { name: 'StorageUnavailable' });
});

test('a body that breaks off before it is read fails when it is read', async (context) => {
  const { storage, proxy } = await makeFaulty(context);
  const name = newName();
  await storage.put([{ name, source: randomBytes(100_000) }]);
  proxy.fault = () => 'half';
  const body = (await storage.open(name))!;
  await pause(300);
  await assert.rejects(buffer(body), { name: 'StorageUnavailable' });
});

test('a reader that takes its time is not cut off', async (context) => {
  const { storage } = await makeFaulty(context);
  const name = newName();
  const content = randomBytes(8_000_000);
  await storage.put([{ name, source: content }]);
  const received: Buffer[] = [];
  for await (const chunk of (await storage.open(name))!) {
    if (received.length < 2) await pause(shortTimeouts.idle * 2);
    received.push(chunk);
  }
  assert.ok(content.equals(Buffer.concat(received)));
});

test('streams that are broken off or never read leave no connection busy', async (context) => {
  const { storage } = await makeS3Storage(context);
  const name = newName();
  await storage.put([{ name, source: randomBytes(1_000_000) }]);
  // Opens more bodies than the driver allows at once: if connections were not released, the last calls would
  // wait forever.
  for (let round = 0; round < 30; round++) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const body = (await storage.open(name))!;
        if (index % 2) for await (const _chunk of body) break;
        body.destroy();
      }),
    );
  }
  assert.equal((await buffer((await storage.open(name))!)).length, 1_000_000);
});

test('a large upload that fails deletes its parts', async (context) => {
  const { storage, proxy, names, temporary } = await makeFaulty(context);
  const file = await storage.temporary();
  await writeFile(file.path, randomBytes(17_000_000));
  proxy.fault = ({ path }) => (path.includes('partNumber=2') ? 'error' : undefined);
  await assert.rejects(storage.put([{ name: newName(), source: file }]), { name: 'StorageUnavailable' });
  const [begun] = proxy.seen.filter(({ method, path }) => method === 'POST' && path.includes('uploads'));
  assert.ok(begun, 'it was sent in parts');
  assert.ok(proxy.seen.some(({ method, path }) => method === 'DELETE' && path.includes('uploadId=')));
  proxy.fault = () => undefined;
  assert.deepEqual(await names(), []);
  assert.deepEqual(await temporary(), []);
});

test('uploads in parts that a killed process left are ended after a day', async (context) => {
  const { storage, proxy } = await makeFaulty(context);
  assert.equal(await storage.clearTemporary(), 0, 'a store that cannot list them has none');
  const upload = (id: string, age: number, key = newName()) =>
    `<Upload><Key>${key}</Key><UploadId>${id}</UploadId>` +
    `<Initiated>${new Date(Date.now() - age).toISOString()}</Initiated></Upload>`;
  const others = upload('others', 90_000_000, 'their/backup.tar');
  proxy.answer = ({ method, path }) => {
    if (method === 'DELETE') return '';
    if (!/[?&]uploads/.test(path)) return undefined;
    return `<ListMultipartUploadsResult>${upload('old', 90_000_000)}${upload('new', 3_600_000)}${others}</ListMultipartUploadsResult>`;
  };
  assert.equal(await storage.clearTemporary(), 1);
  const ended = proxy.seen.filter(({ method }) => method === 'DELETE');
  assert.equal(ended.length, 1);
  assert.match(ended[0]!.path, /uploadId=old/);
});
