/**
 * Tests the HTML of an album page: its contents, and that nobody else's page contains data of a hidden album.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, password, register } from '../../support/people.ts';

const skip = readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web';

describe("an album's document", { skip }, () => {
  let gallery: Gallery;
  let ann: Person;
  let trip: number;
  let secret: number;
  let smart: number;
  const photos: Record<string, number> = {};

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    await register(gallery, 'ben');
    trip = await addAlbum({ name: 'Trip <b>', description: 'To the "sea"' });
    secret = await addAlbum({ name: 'Nest egg', parent_id: trip, is_public: 0 });
    smart = await addAlbum({ name: 'Boats', rule: 'tag:boat' });
    const add = async (title: string, fields: Record<string, string>) => {
      photos[title] = (await addPhoto(ann, { title, ...fields })).id;
    };
    await add('Harbour', { album_id: String(trip), tags: 'boat' });
    await add('Cabin', { album_id: String(trip), is_public: '0', tags: 'boat' });
    await add('Cellar', { album_id: String(secret) });
  });
  after(() => gallery.close());

  async function addAlbum(album: object): Promise<number> {
    const { body } = await ann.post('/api/albums', album);
    assert.equal(body.code, 0);
    return body.data.id;
  }

  async function load(path: string, cookie = '') {
    const answer = await fetch(`${gallery.url}${path}`, { headers: cookie ? { Cookie: cookie } : {} });
    const html = await answer.text();
    const [, text] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)!;
    return { status: answer.status, html, data: JSON.parse(text!) };
  }

  async function logInForCookie(name: string): Promise<string> {
    const answer = await fetch(`${gallery.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: gallery.url },
      body: JSON.stringify({ username: name, password, cookie: true }),
    });
    return answer.headers.getSetCookie()[0]!.split(';')[0]!;
  }

  test('holds the album and its first photos as the API answers them, and says what people wrote as text', async () => {
    const { status, html, data } = await load(`/albums/${trip}`);
    assert.equal(status, 200);
    const reader = asVisitor(gallery);
    assert.deepEqual(data.album, (await reader.get(`/api/albums/${trip}`)).body.data);
    assert.deepEqual(data.wall.page, (await reader.get(`/api/albums/${trip}/photos?limit=100`)).body.data);
    assert.equal(data.wall.months, undefined);
    assert.match(html, /<title>Trip &lt;b&gt; · Lightwell<\/title>/);
    assert.match(html, /<h1 dir="auto">Trip &lt;b&gt;<\/h1>/);
    assert.match(html, /To the &quot;sea&quot;/);
    const harbour = photos.Harbour;
    assert.ok(
      html.includes(`<a class="tile t0" href="/albums/${trip}/photos/${harbour}" data-id="${harbour}">`),
    );
    assert.match(html, /<a href="\/users\/ann\/albums">/);
  });

  test("a photo's address in the album shows it over the album's wall", async () => {
    const { status, html, data } = await load(`/albums/${trip}/photos/${photos.Harbour}`);
    assert.equal(status, 200);
    assert.match(html, /<main class="stage"><img src="\/storage\/\w+\.preview\.\w+"/);
    assert.equal(data.photo.id, photos.Harbour);
    assert.equal(data.photo.views, 0);
    assert.equal(data.album.id, trip);
    assert.equal(data.wall.page.pagination.total, 1);
  });

  test("a smart album's wall has its months, and what its rule finds for its reader", async () => {
    const { data } = await load(`/albums/${smart}`);
    assert.equal(data.wall.months.length, 1);
    assert.deepEqual(
      data.wall.page.list.map(({ title }: { title: string }) => title),
      ['Harbour'],
    );
    assert.equal(data.album.rule, null);
    const own = await load(`/albums/${smart}`, await logInForCookie('ann'));
    assert.equal(own.data.wall.page.pagination.total, 2);
    assert.equal(own.data.album.rule, 'tag:boat');
  });

  test('shows a private album or photo to its owner alone', async () => {
    for (const cookie of ['', await logInForCookie('ben')]) {
      for (const path of [
        `/albums/${trip}`,
        `/albums/${trip}/photos/${photos.Harbour}`,
        `/albums/${smart}`,
        `/albums/${secret}`,
        `/albums/${secret}/photos/${photos.Cellar}`,
        `/albums/${trip}/photos/${photos.Cabin}`,
        `/albums/${trip}/photos/${photos.Cellar}`,
      ]) {
        const { html } = await load(path, cookie);
        assert.doesNotMatch(html, /Nest egg|Cabin|Cellar|tag:boat/, path);
      }
    }
    for (const path of [
      `/albums/${secret}`,
      `/albums/${secret}/photos/${photos.Cellar}`,
      `/albums/${trip}/photos/${photos.Cabin}`,
      '/albums/999999',
      '/albums/x',
      `/albums/${trip}/photos/x`,
    ]) {
      const { status, data } = await load(path);
      assert.equal(status, 404, path);
      assert.deepEqual(Object.keys(data).sort(), ['site', 'user'], path);
    }
  });

  test('a photo that is in another album is not shown in this one', async () => {
    const { status, data } = await load(
      `/albums/${trip}/photos/${photos.Cellar}`,
      await logInForCookie('ann'),
    );
    assert.equal(status, 404);
    assert.deepEqual(Object.keys(data).sort(), ['site', 'user']);
  });

  test('shows its owner private photos, the albums above it and its audience', async () => {
    const { html, data } = await load(`/albums/${secret}`, await logInForCookie('ann'));
    assert.match(html, /<h1 dir="auto">Nest egg<\/h1>/);
    assert.match(html, new RegExp(`<a href="/albums">Albums</a></li><li><a href="/albums/${trip}"`));
    assert.deepEqual(data.album.parents, [
      { id: trip, name: 'Trip <b>', visibility: 'public', is_public: 1, effective_visibility: 'public' },
    ]);
    const above = await load(`/albums/${trip}`, await logInForCookie('ann'));
    assert.match(above.html, new RegExp(`<li class="album-card"><a href="/albums/${secret}">`));
  });
});
