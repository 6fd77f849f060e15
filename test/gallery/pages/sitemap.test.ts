/** Tests `robots.txt` and the sitemap: which photos search engines learn of, and when there is no sitemap. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  disableAccount,
  type Person,
  register,
} from '../../support/people.ts';
import { getFrom } from './steps.ts';

const baseUrl = 'https://photos.example.org';

describe('the sitemap', () => {
  let gallery: Gallery;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({ baseUrl });
    ann = await register(gallery, 'ann');
  });
  after(() => gallery.close());

  const read = async (path: string) => asVisitor(gallery).get(path);

  async function listPhotos(): Promise<string[]> {
    const { status, bytes, headers } = await read('/sitemap/1.xml');
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^application\/xml/);
    return [...bytes.toString().matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
  }

  test('is named in robots.txt, and its index names its files', async () => {
    assert.match(
      (await read('/robots.txt')).bytes.toString(),
      /^Disallow:\nSitemap: https:\/\/photos\.example\.org\/sitemap\.xml$/m,
    );
    const index = (await read('/sitemap.xml')).bytes.toString();
    assert.deepEqual(
      [...index.matchAll(/<loc>([^<]+)</g)].map(([, url]) => url),
      [`${baseUrl}/sitemap/1.xml`],
    );
  });

  test('has public photos alone', async () => {
    const shown = await addPhoto(ann);
    await addPhoto(ann, { is_public: '0' });
    await addPhoto(ann, { visibility: 'members' });
    const closed = await addAlbum(ann, 'Closed', { isPublic: false });
    await addPhoto(ann, { album_id: String(closed) });
    const album = await addAlbum(ann, 'Hidden soon');
    await addPhoto(ann, { album_id: String(album) });
    assertWritten(await ann.put(`/api/albums/${album}`, { is_public: 0 }));
    const trashed = await addPhoto(ann);
    assertDone(await ann.delete(`/api/photos/${trashed.id}`));
    const bob = await register(gallery, 'bob');
    await addPhoto(bob);
    await disableAccount(gallery, bob);
    assert.deepEqual(await listPhotos(), [`${baseUrl}/photos/${shown.id}`]);
  });

  test('has no file beyond the last one, and no other name', async () => {
    for (const name of [
      '2.xml',
      '0.xml',
      '-1.xml',
      '1',
      '1.xml.gz',
      'x.xml',
      '01.xml',
      '1e5.xml',
      '999999999.xml',
      '%00.xml',
    ])
      assert.equal((await read(`/sitemap/${name}`)).status, 404, name);
  });

  test('limits the requests of one address', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 130; n++) statuses.push((await read('/sitemap/1.xml')).status);
    assert.ok(statuses.includes(429));
    gallery.travel(120);
    assert.equal((await read('/robots.txt')).status, 200);
  });

  test('has no address from a Host that a stranger wrote', async () => {
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap/1.xml'])
      assert.equal((await getFrom(gallery, path, { Host: 'evil.example' })).includes('evil'), false, path);
  });
});

test('a gallery has no sitemap if it is for members, has no BASE_URL, or turns the sitemap off', async () => {
  for (const settings of [{ baseUrl, access: 'members' as const }, {}, { baseUrl, sitemap: false }]) {
    const gallery = await startGallery(settings);
    try {
      const visitor = asVisitor(gallery);
      assert.equal((await visitor.get('/robots.txt')).bytes.includes('Sitemap'), false);
      for (const path of ['/sitemap.xml', '/sitemap/1.xml'])
        assert.equal((await visitor.get(path)).status, 404, path);
    } finally {
      await gallery.close();
    }
  }
});
