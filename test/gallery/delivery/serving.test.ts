import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { signedPath } from '../../../server/gallery/delivery/signatures.ts';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import type { Storage } from '../../../server/platform/storage/storage.ts';
import { addPhoto, addUser, clean, makeGallery } from './gallery.ts';

test('says what browsers and caches may do with an image', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const owner = await addUser(gallery, 'owner');
  const shown = await addPhoto(gallery, owner.id, 2);
  const hidden = await addPhoto(gallery, owner.id, 1);

  const open = await fetch(`${gallery.url}/storage/${shown.key}.thumb.webp`);
  assert.equal(await open.text(), 'thumb');
  assert.deepEqual(
    Object.fromEntries(
      ['content-type', 'content-length', 'etag', 'vary'].map((name) => [name, open.headers.get(name)]),
    ),
    { 'content-type': 'image/webp', 'content-length': '5', etag: `"${shown.key}.thumb.webp"`, vary: null },
  );
  assert.equal(open.headers.get('accept-ranges'), 'bytes');
  assert.equal(open.headers.get('x-content-type-options'), 'nosniff');
  assert.match(open.headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox$/);
  assert.equal(open.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(open.headers.get('cache-control'), 'public, max-age=3600, s-maxage=0, proxy-revalidate');

  const name = `${hidden.key}.preview.jpg`;
  const signed = await fetch(gallery.url + signedPath(name, `u${owner.id}`, deps.clock(), deps.secret));
  const [, seconds] = /^private, max-age=(\d+)$/.exec(signed.headers.get('cache-control') ?? '') ?? [];
  assert.ok(Number(seconds) >= 3599 && Number(seconds) <= 7200);
  const withToken = await fetch(`${gallery.url}/storage/${name}`, { headers: owner.headers });
  assert.equal(withToken.headers.get('cache-control'), 'private, no-cache');
  assert.match(withToken.headers.get('vary') ?? '', /Authorization/);
  const refused = await fetch(`${gallery.url}/storage/${name}`);
  assert.equal(refused.headers.get('cache-control'), 'no-store');
  assert.equal(((await refused.json()) as { code: number }).code, 20004);
});

test('answers 304 without asking the storage, but not without asking who', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  for (const kind of ['thumb.webp', 'original.jpg']) {
    const name = `${photo.key}.${kind}`;
    const etag = `"${name}"`;
    await gallery.deps.storage.remove(name);
    const ask = (value: string, path = name) =>
      fetch(`${gallery.url}/storage/${path}`, { headers: { 'if-none-match': value } });
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag}`, '*']) {
      const response = await ask(value);
      assert.equal(response.status, 304, value);
      assert.equal(response.headers.get('etag'), etag);
      assert.match(response.headers.get('cache-control') ?? '', /^public/);
      assert.equal(await response.text(), '');
    }
    for (const value of ['"x"', name, '']) assert.equal((await ask(value)).status, 404, value);
    await asLibraryWriter(gallery.deps.db.kysely).updateTable('photos').set({ visibility: 1 }).execute();
    assert.equal((await ask(etag)).status, 403);
    await asLibraryWriter(gallery.deps.db.kysely).updateTable('photos').set({ visibility: 2 }).execute();
  }
});

test('serves ranges of small and of large objects', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  for (const [kind, text] of [
    ['thumb.webp', 'thumb'],
    ['original.jpg', clean],
  ] as const) {
    const path = `${gallery.url}/storage/${photo.key}.${kind}`;
    const etag = `"${photo.key}.${kind}"`;
    const ask = (headers: Record<string, string>, method = 'GET') => fetch(path, { headers, method });

    const part = await ask({ range: 'bytes=1-3' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 1-3/${text.length}`);
    assert.equal(part.headers.get('content-length'), '3');
    assert.equal(await part.text(), text.slice(1, 4));

    const beyond = await ask({ range: 'bytes=100-' });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers.get('content-range'), `bytes */${text.length}`);
    assert.match(beyond.headers.get('content-type') ?? '', /json/);
    assert.equal(beyond.headers.get('cache-control'), 'no-store');
    assert.equal(((await beyond.json()) as { code: number }).code, 416);

    for (const range of ['bytes=0-1,3-4', 'bytes=9-1', 'lines=1-2', 'bytes=x-']) {
      const whole = await ask({ range });
      assert.equal(whole.status, 200, range);
      assert.equal(await whole.text(), text);
    }
    for (const [condition, expected] of [
      [etag, text.slice(0, 1)],
      [`W/${etag}`, text],
      [new Date().toUTCString(), text],
    ] as const) {
      const answer = await ask({ range: 'bytes=0-0', 'if-range': condition });
      assert.equal(await answer.text(), expected, condition);
    }

    const head = await ask({ range: 'bytes=0-1' }, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('content-length'), String(text.length));
    assert.equal(head.headers.get('etag'), etag);
    assert.equal(await head.text(), '');
  }
});

test('a row whose object is missing is 404, and other methods are 405', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  for (const kind of ['thumb.webp', 'original.jpg']) {
    await gallery.deps.storage.remove(`${photo.key}.${kind}`);
    const response = await fetch(`${gallery.url}/storage/${photo.key}.${kind}`);
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('content-range'), null);
  }
  assert.equal(
    (await fetch(`${gallery.url}/storage/${photo.key}.preview.jpg`, { method: 'DELETE' })).status,
    405,
  );
});

test('a client that goes away leaves no descriptor open', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const parts = [{ start: 0, end: 20_000_000 }, { base64: 'AAAA' }, { start: 20_000_000, end: 40_000_000 }];
  const photo = await addPhoto(gallery, owner.id, 2, { clean_parts: JSON.stringify(parts) });
  const edited = await addPhoto(gallery, owner.id, 2, { kind: 'edit', key: createObjectKey() });
  const large = Buffer.alloc(40_000_000);
  const paths = [objectName(photo.key, 'original', 'jpg'), objectName(edited.key, 'edit', 'jpg')];
  await gallery.deps.storage.put(paths.map((name) => ({ name, source: large })));

  const before = await openFiles();
  for (const name of paths) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await request(`${gallery.url}/storage/${name}`);
        if (index % 2 === 0) await setTimeout(index);
        response.destroy();
      }),
    );
  }
  await setTimeout(500);
  assert.equal(await openFiles(), before);
  assert.deepEqual(gallery.complaints(), []);
});

test('a waiting request opens nothing in the storage, and never does after the client leaves', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2, { kind: 'edit' });
  const asked = countCalls(context, gallery.deps.storage);
  const { streams } = gallery.shared;
  const here = { name: '127.0.0.1', address: '127.0.0.1' };
  const places: (() => void)[] = [];
  for (let n = 0; n < 8; n++) places.push(await streams.acquire(here));

  const url = `${gallery.url}/storage/${objectName(photo.key, 'edit', 'jpg')}`;
  const sockets: Socket[] = [];
  gallery.server.on('connection', (socket: Socket) => sockets.push(socket));
  const gone = [1, 2, 3].map(() => get(url, { agent: false }).on('error', () => {}));
  while (streams.waiting < 3) await setTimeout(5);
  const ended = sockets.map((socket) => once(socket, 'close'));
  const stays = fetch(url);
  while (streams.waiting < 4) await setTimeout(5);
  assert.equal(asked(), 0);
  for (const one of gone) one.destroy();
  await Promise.all(ended);
  // Requests of disconnected clients leave the queue and take no places from waiting requests.
  while (streams.waiting > 1) await setTimeout(5);
  for (const leave of places) leave();
  assert.equal(await (await stays).text(), 'edit');
  assert.equal(asked(), 2);
  while (streams.running > 0) await setTimeout(5);
});

test('the storage is asked for eight files of one client at a time, and for those of another meanwhile', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2, { kind: 'edit' });
  const { storage } = gallery.deps;
  const goOn = Promise.withResolvers<void>();
  const stat = storage.stat.bind(storage);
  const { mock } = context.mock.method(storage, 'stat', async (name: string) => {
    await goOn.promise;
    return stat(name);
  });

  const url = `${gallery.url}/storage/${objectName(photo.key, 'edit', 'jpg')}`;
  const many = Array.from({ length: 20 }, () => fetch(url));
  const { streams } = gallery.shared;
  while (mock.callCount() < 8 || streams.waiting < 12) await setTimeout(5);
  const other = once(get(url, { agent: false, localAddress: '127.0.0.2' }), 'response');
  while (mock.callCount() < 9) await setTimeout(5);
  assert.deepEqual([streams.running, streams.waiting], [9, 12]);
  goOn.resolve();
  for (const one of many) assert.equal(await (await one).text(), 'edit');
  assert.equal((await other)[0].resume().statusCode, 200);
  while (streams.running > 0) await setTimeout(5);
});

test('a client that leaves releases its slot at once, also while the storage hangs', async (context) => {
  const gallery = await makeGallery(context);
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  const opened: PassThrough[] = [];
  context.mock.method(gallery.deps.storage, 'open', async () => {
    const stream = new PassThrough();
    opened.push(stream);
    return stream;
  });
  const asking = get(`${gallery.url}/storage/${objectName(photo.key, 'original', 'jpg')}`, { agent: false });
  asking.on('error', () => {});
  // The response begins before any read of the storage ends, because the first bytes of a clean copy are the
  // server's own.
  await once(asking, 'response');
  const { streams } = gallery.shared;
  assert.deepEqual([streams.running, opened.length], [1, 1]);
  asking.destroy();
  while (streams.running > 0) await setTimeout(5);
  assert.ok(opened[0]!.destroyed);
});

/** Returns a function that counts the storage's calls of `stat` and `open`. */
function countCalls(context: TestContext, storage: Storage): () => number {
  const calls = [context.mock.method(storage, 'stat'), context.mock.method(storage, 'open')];
  return () => calls.reduce((sum, { mock }) => sum + mock.callCount(), 0);
}

function request(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });
}

/** Returns the number of open file descriptors of this process that refer to files. */
async function openFiles(): Promise<number> {
  const { readlink } = await import('node:fs/promises');
  const names = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.includes('/files/')).length;
}
