import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  addPhoto,
  asVisitor,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpegWithExif } from '../../support/pictures.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

const hour = 3600;

describe('image paths', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let anybody: Person;
  let picture: Buffer;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    anybody = asVisitor(gallery);
    picture = await createJpegWithExif();
  });
  after(() => gallery.close());

  const readPaths = async (id: number, who = owner): Promise<string[]> => {
    const { path, preview, thumb } = assertRead(await who.get(`/api/photos/${id}`));
    return [path, preview, thumb];
  };
  const plain = (path: string) => path.split('?')[0]!;

  function assertForbidden({ status, body, headers, bytes }: Answer, path: string): void {
    assert.deepEqual([status, body.code], [403, 20004], path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.ok(bytes.length < 200);
  }

  test('are plain and open to everybody for public photos', async () => {
    const { id } = await addPhoto(owner, { title: 'public' }, picture);
    for (const path of await readPaths(id)) {
      assert.match(path, /^\/storage\/[0-9a-f]{32}\.(original|preview|thumb)\.(jpg|webp)$/);
      for (const who of [anybody, stranger, owner, admin]) {
        const { status, headers } = await who.get(path);
        assert.equal(status, 200);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox$/);
        assert.ok(headers.get('cross-origin-resource-policy'));
        assert.equal(headers.get('set-cookie'), null);
        assert.equal(headers.get('accept-ranges'), 'bytes');
        assert.match(headers.get('content-type') ?? '', /^image\/(jpeg|webp)$/);
      }
      const { headers } = await anybody.get(path);
      assert.match(headers.get('cache-control') ?? '', /^public, max-age=3600\b/);
      const bad = await anybody.get(path, { authorization: 'Bearer nonsense' });
      assert.deepEqual([bad.status, bad.body.code], [401, 10006]);
    }
  });

  test('are signed for private photos; without a signature they open for the owner’s token', async () => {
    const { id } = await addPhoto(owner, { title: 'private', is_public: '0' }, picture);
    for (const path of await readPaths(id)) {
      const signed = await anybody.get(path);
      assert.equal(signed.status, 200);
      assert.match(signed.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
      assert.equal((await stranger.get(path)).status, 200, 'another user with the signed path');
      for (const who of [anybody, stranger]) assertForbidden(await who.get(plain(path)), path);
      for (const who of [owner, admin]) {
        const { status, headers } = await who.get(plain(path));
        assert.equal(status, 200);
        assert.match(headers.get('cache-control') ?? '', /^private, no-(cache|store)$/);
        assert.match(headers.get('vary') ?? '', /Authorization/);
      }
    }
  });

  test('are signed for photos for members; without a signature they open for every token', async () => {
    const { id } = await addPhoto(owner, { title: 'for members', visibility: 'members' }, picture);
    const paths = await readPaths(id, stranger);
    for (const path of paths) {
      const signed = await anybody.get(path);
      assert.equal(signed.status, 200);
      assert.match(signed.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
      assertForbidden(await anybody.get(plain(path)), path);
      for (const who of [stranger, owner, admin]) {
        const { status, headers } = await who.get(plain(path));
        assert.equal(status, 200);
        assert.match(headers.get('cache-control') ?? '', /^private, no-(cache|store)$/);
      }
    }
    assertDone(await owner.put(`/api/photos/${id}`, { visibility: 'private' }));
    for (const path of paths) {
      assertForbidden(await anybody.get(path), 'signed for a member who sees the photo no more');
      assertForbidden(await stranger.get(plain(path)), path);
    }
  });

  test('the same path is given for an hour, holds for one at least and two at most', async () => {
    const { id } = await addPhoto(owner, { title: 'kept in caches', is_public: '0' }, picture);
    // Moves the clock to the start of a signing period.
    gallery.travel(hour - (gallery.deps.clock() % hour));
    const [path] = await readPaths(id);
    gallery.travel(hour - 60);
    assert.deepEqual((await readPaths(id))[0], path);
    const item = assertRead(await owner.get('/api/photos?limit=1')).list[0];
    assert.equal(item.thumb, (await readPaths(id))[2], 'list and detail agree');
    gallery.travel(120);
    const [next] = await readPaths(id);
    assert.notEqual(next, path);
    assert.equal((await anybody.get(path!)).status, 200);
    gallery.travel(hour);
    assertForbidden(await anybody.get(path!), 'expired');
    assert.equal((await anybody.get(next!)).status, 200);
  });

  test('a signature holds for its path, its holder and its time only', async () => {
    const [one, other] = [
      await addPhoto(owner, { title: 'one', is_public: '0' }, picture),
      await addPhoto(owner, { title: 'other', is_public: '0' }, picture),
    ];
    const [path, preview] = (await readPaths(one.id)) as [string, string];
    const [foreign] = (await readPaths(other.id)) as [string];
    const query = new URLSearchParams(path.split('?')[1]);
    const [g, e, s] = ['g', 'e', 's'].map((name) => query.get(name)!) as [string, string, string];
    const turned = s.startsWith('A') ? `B${s.slice(1)}` : `A${s.slice(1)}`;
    const tampered = [
      `g=${g}&e=${Number(e) + hour}&s=${s}`,
      `g=u${admin.id}&e=${e}&s=${s}`,
      `g=u${stranger.id}&e=${e}&s=${s}`,
      `g=${g}&e=${e}&s=${turned}`,
      `g=${g}&e=${e}&s=${s.slice(0, -1)}`,
      `g=${g}&e=${e}&s=${s}A`,
      `g=${g}&e=${e}&s=`,
      `g=${g}&e=${e}`,
      `e=${e}&s=${s}`,
      `g=${g}&s=${s}`,
      `g=${g}&e=${e}&s=${s}&s=${s}`,
      `g=${g}&g=${g}&e=${e}&s=${s}`,
      `g=${g}&e=${e}&e=${Number(e) + hour}&s=${s}`,
      `g[]=${g}&e=${e}&s=${s}`,
      `g=${g}&e=0${e}&s=${s}`,
      `G=${g}&E=${e}&S=${s}`,
      foreign.split('?')[1]!,
      preview.split('?')[1]!,
      '',
    ];
    assert.equal((await anybody.get(path)).status, 200);
    for (const query of tampered) assertForbidden(await anybody.get(`${plain(path)}?${query}`), query);
  });

  test('expire at once when a photo becomes private, also in shared caches', async () => {
    const { id } = await addPhoto(owner, { title: 'flips' }, picture);
    const paths = await readPaths(id);
    const etags = await Promise.all(
      paths.map(async (path) => (await anybody.get(path)).headers.get('etag')!),
    );
    const cached = (await anybody.get(paths[2]!)).headers.get('cache-control')!;
    assert.match(cached, /s-maxage=0/);
    await owner.put(`/api/photos/${id}`, { is_public: 0 });
    for (const [index, path] of paths.entries()) {
      for (const who of [anybody, stranger]) {
        assertForbidden(await who.get(path), path);
        assertForbidden(await who.get(path, { 'if-none-match': etags[index]! }), `${path} again`);
        assertForbidden(await who.get(path, { range: 'bytes=0-9' }), `${path} in part`);
      }
      assert.equal((await owner.get(path)).status, 200);
    }
    const signed = await readPaths(id);
    await owner.put(`/api/photos/${id}`, { is_public: 1 });
    for (const path of [...paths, ...signed]) assert.equal((await anybody.get(path)).status, 200);
    await owner.delete(`/api/photos/${id}`);
    for (const path of paths) assert.equal((await anybody.get(path)).status, 404);
    // A URL signed for the owner shows thumbnails and previews of the owner's trash, but never the original.
    assert.equal((await anybody.get(signed[0]!)).status, 404);
  });

  test('expire with the right of the user they were signed for', async () => {
    const { id } = await addPhoto(owner, { title: 'moderated', is_public: '0' }, picture);
    const [path] = await readPaths(id, admin);
    assert.equal((await anybody.get(path!)).status, 200);
    const users = gallery.deps.db.kysely.updateTable('users').where('id', '=', admin.id);
    await users.set({ is_admin: 0 }).execute();
    assertForbidden(await anybody.get(path!), 'no admin any more');
    await users.set({ is_admin: 1 }).execute();
    assert.equal((await anybody.get(path!)).status, 200);
  });

  test('answer 304 to a client that has the bytes', async () => {
    const { id } = await addPhoto(owner, { title: 'cached' }, picture);
    for (const path of await readPaths(id)) {
      const etag = (await anybody.get(path)).headers.get('etag')!;
      assert.match(etag, /^"[^"]+"$/);
      for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await anybody.get(path, { 'if-none-match': value });
        assert.deepEqual([answer.status, answer.bytes.length], [304, 0], value);
        assert.equal(answer.headers.get('etag'), etag);
      }
      assert.equal((await anybody.get(path, { 'if-none-match': '"other"' })).status, 200);
    }
  });

  test('serve byte ranges', async () => {
    const { id } = await addPhoto(owner, { title: 'in parts' }, picture);
    for (const path of await readPaths(id)) {
      const { bytes } = await anybody.get(path);
      const part = await anybody.get(path, { range: 'bytes=10-19' });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), `bytes 10-19/${bytes.length}`);
      assert.deepEqual(part.bytes, bytes.subarray(10, 20));
      const beyond = await anybody.get(path, { range: `bytes=${bytes.length}-` });
      assert.deepEqual([beyond.status, beyond.body.code], [416, 416]);
      const whole = await anybody.send('HEAD', path);
      assert.deepEqual([whole.status, whole.headers.get('content-length')], [200, String(bytes.length)]);
    }
  });

  test('give the owner the raw original, and everybody else the clean copy', async () => {
    const { id } = await addPhoto(owner, { title: 'raw' }, picture);
    const [path] = (await readPaths(id)) as [string];
    const raw = await owner.get(path);
    assert.deepEqual(raw.bytes, picture);
    assert.match(raw.headers.get('cache-control') ?? '', /no-store/);
    for (const who of [anybody, stranger, admin]) {
      const { bytes, headers } = await who.get(path);
      assert.ok(!bytes.includes('SERIAL-12345') && !bytes.includes('SECRET-COPYRIGHT'));
      assert.match(headers.get('vary') ?? '', /Authorization/);
      assert.notEqual(headers.get('etag'), raw.headers.get('etag'));
    }
  });

  test('lead to nothing else, however they are written', async () => {
    const { thumb } = await addPhoto(owner, { title: 'only this' }, picture);
    const name = thumb.split('/').at(-1)!;
    const tricks = [
      '/storage/../app.db',
      '/storage/%2e%2e/app.db',
      '/storage/..%2fapp.db',
      '/storage/..%2f..%2flightwell.db',
      '/storage/....//app.db',
      '/storage//etc/passwd',
      '/storage/%5c..%5capp.db',
      '/storage/.',
      '/storage/..',
      '/storage/',
      '/storage',
      '/storage/%00',
      `/storage/${name}%00`,
      `/storage/${name}%2f`,
      `/storage/${name}/`,
      `/storage/./../storage%2f${name}`,
      `/storage/${name.slice(0, 2)}/${name}`,
      `/storage/${name.toUpperCase()}`,
      `/storage/${name.replace('.thumb.', '.original.')}`,
      `/storage/${name.replace('.webp', '.jpg')}`,
      `/storage/${name.replace('.webp', '.html')}`,
      '/storage/originals/',
      '/storage/.lightwell',
      '/storage/lightwell.db',
      `/storage/${'0'.repeat(32)}.thumb.webp`,
      '/STORAGE/x',
    ];
    for (const path of tricks) {
      const { status, body, text } = await exchangeRaw(gallery, createRequestHead('GET', path, {}));
      assert.ok([400, 404].includes(status), `${path}: ${status}`);
      assert.ok([400, 404, 20003].includes(body.code), path);
      assert.doesNotMatch(text, /root:|SQLite format|node_modules/);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, body } = await owner.send(method, thumb);
      assert.deepEqual([status, body.code], [405, 405], method);
    }
    assert.equal((await anybody.get(thumb)).status, 200);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
