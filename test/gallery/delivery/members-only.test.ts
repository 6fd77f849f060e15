/** Tests images and avatars in a gallery for members: signed paths, cookies, share links and caching. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  createPerson,
  disableAccount,
  type Person,
  password,
  register,
} from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('a gallery for members', () => {
  let gallery: Gallery;
  let owner: Person;
  let other: Person;
  let album: number;
  let photo: number;

  before(async () => {
    gallery = await startGallery({ access: 'members', registration: 'open' });
    owner = await register(gallery, 'owner');
    other = await register(gallery, 'other');
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'face.jpg');
    assert.equal((await owner.send('POST', '/api/auth/avatar', { body: form })).status, 200);
    album = await addAlbum(owner, 'Summer');
    const picture = await createJpeg({ width: 800, height: 600 });
    photo = (await addPhoto(owner, { title: 'Lake', album_id: String(album) }, picture)).id;
  });
  after(() => gallery.close());

  const see = (path: string, headers: Record<string, string> = {}) =>
    fetch(gallery.url + path.replace('{width}', '320'), { headers, redirect: 'manual' });
  const plain = (path: string) => path.split('?')[0]!;

  /** Returns all image paths in a response. */
  function findPaths(value: unknown): string[] {
    if (typeof value === 'string') return value.startsWith('/storage/') ? [value] : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.values(value).flatMap(findPaths);
  }

  /** Signs in like a browser, and returns the request header with the cookie. */
  async function signInByCookie(username: string): Promise<{ cookie: string }> {
    const { headers } = await asVisitor(gallery).send('POST', '/api/auth/login', {
      body: JSON.stringify({ username, password, cookie: true }),
      headers: { 'content-type': 'application/json' },
    });
    return { cookie: headers.get('set-cookie')!.split(';')[0]! };
  }

  test('signs every image path for programs, also of public photos and avatars', async () => {
    for (const path of [
      '/api/photos',
      `/api/photos/${photo}`,
      '/api/albums',
      `/api/albums/${album}/photos`,
      '/api/users',
      `/api/users/${owner.id}`,
      '/api/facets',
      '/api/search/suggest?keyword=own',
    ]) {
      const paths = findPaths((await other.get(path)).body);
      assert.ok(paths.length > 0, `${path} has images`);
      for (const image of paths) {
        assert.match(image, /\?g=u\d+&e=\d+&s=[\w-]{22}$/, path);
        const answer = await see(image);
        assert.equal(answer.status, 200, image);
        assert.match(answer.headers.get('cache-control')!, /^private, max-age=\d+$/, image);
        assert.equal((await see(plain(image))).status, 401, `${image} without its signature`);
        assert.equal((await see(plain(image), { authorization: `Bearer ${other.token}` })).status, 200);
      }
    }
  });

  test('opens plain paths to the cookie of a browser, and no longer after signing out', async () => {
    const cookie = await signInByCookie('other');
    const list = await (await see('/api/photos', cookie)).json();
    const paths = findPaths(list);
    assert.ok(paths.length >= 3);
    for (const path of paths) {
      assert.ok(!path.includes('?'), path);
      const answer = await see(path, cookie);
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get('cache-control')!, /^private/, path);
      assert.match(answer.headers.get('vary')!, /Cookie/, path);
    }
    const leaving = { ...cookie, origin: gallery.url };
    assert.equal(
      (await fetch(`${gallery.url}/api/auth/logout`, { method: 'POST', headers: leaving })).status,
      200,
    );
    for (const path of paths) assert.equal((await see(path, cookie)).status, 401, path);
  });

  test('lends signed paths to the holders of a link, until the link ends', async () => {
    const visitor = asVisitor(gallery);
    for (const noun of [`photos/${photo}`, `albums/${album}`]) {
      const { data } = (await owner.post(`/api/${noun}/share`, { type: 'link' })).body;
      const token = data.url.split('/').at(-1);
      const shared = await visitor.get(`/api/shares/${token}`);
      const paths = findPaths(shared.body);
      assert.ok(paths.length >= 4, `${noun}: ${paths.length}`);
      assert.ok(
        paths.some((path) => path.includes('.avatar.')),
        noun,
      );
      for (const path of paths) {
        assert.match(path, /\?g=s\d+&e=\d+&s=/, noun);
        const answer = await see(path);
        assert.equal(answer.status, 200, path);
        assert.match(answer.headers.get('cache-control')!, /^private/, path);
      }
      const page = (await visitor.get(`/s/${token}`)).bytes.toString();
      const images = [...page.matchAll(/(?:src|href)="\.\.(\/storage\/[^"]+)"/g)].map(([, path]) => path!);
      assert.ok(images.length > 0);
      for (const path of images) assert.equal((await see(path.replaceAll('&amp;', '&'))).status, 200, path);
      assert.equal((await visitor.get(`/api/shares/${token}/download`)).status, 200);

      assert.equal((await owner.delete(`/api/shares/${data.id}`)).status, 200);
      for (const path of paths) assert.equal((await see(path)).status, 401, path);
    }
  });

  test('lets a link of another member show a public photo, but not after it became private', async () => {
    const { data } = (await other.post(`/api/photos/${photo}/share`, { type: 'link' })).body;
    const shared = await asVisitor(gallery).get(`/api/shares/${data.url.split('/').at(-1)}`);
    const { thumb } = shared.body.data.photo;
    assert.equal((await see(thumb)).status, 200);
    await owner.put(`/api/photos/${photo}`, { is_public: 0 });
    assert.equal((await see(thumb)).status, 401);
    await owner.put(`/api/photos/${photo}`, { is_public: 1 });
    assert.equal((await see(thumb)).status, 200);
  });

  test('signs the avatar in the answers to sign-in, and in the events of webhooks', async () => {
    const { body } = await asVisitor(gallery).post('/api/auth/login', { username: 'owner', password });
    assert.equal((await see(body.data.user.avatar)).status, 200);
    assert.match(body.data.user.avatar, /\?g=u/);
    await other.post('/api/webhooks', { url: 'https://example.org/hook', events: ['follow.created'] });
    await owner.post(`/api/users/${other.id}/follow`);
    const { payload } = await gallery.deps.db.kysely
      .selectFrom('webhook_deliveries')
      .select('payload')
      .executeTakeFirstOrThrow();
    const [path] = findPaths(JSON.parse(payload));
    assert.match(path!, new RegExp(`\\?g=u${other.id}&`));
    assert.equal((await see(path!)).status, 200);
  });

  test('ends the signed paths of a disabled member', async () => {
    const third = await register(gallery, 'third');
    const [path] = findPaths((await third.get('/api/photos')).body);
    assert.equal((await see(path!)).status, 200);
    await disableAccount(gallery, third);
    assert.equal((await see(path!)).status, 401);
    const key = createPerson(gallery, 'third', third.token, third.id);
    assert.equal((await key.get('/api/photos')).status, 401);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
