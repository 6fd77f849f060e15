/**
 * GET /api/search/suggest returns names that contain the keyword, and nothing that the caller may not see.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { asListed } from '../../contract/steps/privacy-places.ts';
import { testPlaces } from '../../contract/steps/privacy-walk.ts';
import { readers } from '../../contract/steps/rights.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpegWithExif } from '../../support/pictures.ts';

testRights([
  {
    endpoint: 'GET /api/search/suggest',
    codes: readers,
    ask: (who) => who.get('/api/search/suggest?keyword=a'),
  },
]);

testPlaces([
  {
    endpoint: '/api/search/suggest',
    path: ({ tag }) => `/api/search/suggest?keyword=${tag}`,
    shows: asListed,
  },
]);

describe('suggestions', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;

  before(async () => {
    gallery = await startGallery();
    [ann, bea] = [await register(gallery, 'canonfan'), await register(gallery, 'bea')];
    await addPhoto(ann, { tags: 'Canoe,sea', is_public: '0' }, await createJpegWithExif());
    await addPhoto(ann, { tags: 'canopy' });
    for (const n of [1, 2, 3, 4, 5, 6]) await addPhoto(ann, { tags: `canon ${n}`, is_public: String(n % 2) });
    await addAlbum(ann, 'Canal', { isPublic: false });
    await addAlbum(ann, 'In Canada');
    const visibility = 'members';
    await addPhoto(ann, { tags: 'cantina', visibility }, await createJpegWithExif());
    assert.equal((await ann.post('/api/albums', { name: 'Cantina', visibility })).status, 200);
  });
  after(() => gallery.close());

  const ask = async (who: Person, keyword: string) =>
    assertRead(await who.get(`/api/search/suggest?keyword=${encodeURIComponent(keyword)}`));
  const listNames = (list: { name: string }[]) => list.map(({ name }) => name).sort();

  test('are five of each at most, of what the caller may see', async () => {
    const own = await ask(ann, 'CAN');
    assert.equal(own.tags.length, 5);
    assert.deepEqual(listNames(own.albums), ['Canal', 'Cantina', 'In Canada']);
    assert.deepEqual(
      own.users.map(({ username }: { username: string }) => username),
      ['canonfan'],
    );
    assert.deepEqual(own.cameras, [{ name: 'Canon EOS 500D', count: 2 }]);
    const open = ['canon 1', 'canon 3', 'canon 5', 'canopy'];
    const admin = await registerAdmin(gallery, 'admin');
    for (const who of [bea, admin, asVisitor(gallery)]) {
      const others = await ask(who, 'can');
      const isMember = who.token !== undefined;
      assert.deepEqual(listNames(others.tags), isMember ? [...open, 'cantina'] : open);
      assert.deepEqual(listNames(others.albums), isMember ? ['Cantina', 'In Canada'] : ['In Canada']);
      assert.deepEqual(others.cameras, isMember ? [{ name: 'Canon EOS 500D', count: 1 }] : []);
      assert.deepEqual(Object.keys(others.users[0]).sort(), ['avatar', 'id', 'nickname', 'username']);
    }
  });

  test('take any text, and need one', async () => {
    const nothing = { tags: [], users: [], albums: [], cameras: [] };
    for (const text of [' ', '%', '_', '山', "'; --"]) assert.deepEqual(await ask(bea, text), nothing, text);
    assertRefused(await bea.get('/api/search/suggest'), 400, 400, ['keyword']);
    assertRefused(await bea.get(`/api/search/suggest?keyword=${'a'.repeat(51)}`), 400, 400, ['keyword']);
  });
});
