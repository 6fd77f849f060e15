/** Tests the photo list with photos of all levels: which of them each viewer gets, on every page and in every order. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createPhotoRows, type InsertPhoto } from '../../support/photo-rows.ts';

/** Number of public photos: more than two pages of twenty. */
const many = 45;

interface Item {
  id: number;
}

describe('the photo list with levels', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let album: number;
  let ids: number[];
  let insert: InsertPhoto;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    album = await addAlbum(owner, 'Album');
    insert = await createPhotoRows(gallery);
    ids = [];
    for (let n = 0; n < many; n++) ids.push(await add(owner, 'public', n, n < 7 ? album : undefined));
  });
  after(() => gallery.close());

  function add(who: Person, visibility: 'private' | 'members' | 'public', n: number, inAlbum?: number) {
    const tags = [n % 2 ? 'odd' : 'even'];
    return insert(who, { title: `Title ${n % 5}`, description: '', tags, visibility, album: inAlbum });
  }

  const list = async (query: string, who: Person) => assertRead(await who.get(`/api/photos?${query}`));
  const idsOf = ({ list: items }: { list: Item[] }) => items.map(({ id }) => id).toSorted((a, b) => a - b);
  const readIds = async (query: string, who: Person) => idsOf(await list(`${query}&limit=100`, who));

  async function readAllPages(query: string, who: Person, total: number): Promise<Item[]> {
    const found: Item[] = [];
    for (let page = 1; found.length < total && page <= total; page++) {
      const { list: items, pagination } = await list(`${query}&limit=20&page=${page}`, who);
      assert.equal(pagination.total, total, `${who.name} ${query}`);
      found.push(...items);
    }
    return found;
  }

  test('holds photos for members for everyone who is signed in', async () => {
    const members = await add(owner, 'members', 7);
    const hidden = await add(owner, 'private', 7);
    for (const [who, further] of [
      [asVisitor(gallery), []],
      [stranger, [members]],
      [admin, [members]],
      [owner, [members, hidden]],
    ] as const) {
      const expected = [...ids, ...further];
      for (const query of ['', 'sort=views', 'sort=title&order=asc', `user_id=${owner.id}&sort=likes`]) {
        const found = await readAllPages(query, who, expected.length);
        assert.deepEqual(idsOf({ list: found }), expected, `${who.name} ${query}`);
      }
      const odd = ids.filter((_, n) => n % 2 === 1);
      const second = ids.filter((_, n) => n % 5 === 2);
      for (const [query, among] of [
        ['tag=odd', odd],
        ['keyword=Title 2', second],
        ['q=tag:odd', odd],
      ] as const) {
        assert.deepEqual(await readIds(query, who), [...among, ...further], `${who.name} ${query}`);
      }
      assert.deepEqual(await readIds('q=is:members', who), further.slice(0, 1), who.name);
    }
    assert.deepEqual(await readIds(`is_public=0&user_id=${owner.id}`, stranger), [members]);
    assert.deepEqual(await readIds('is_public=0', stranger), []);
    assert.deepEqual(await readIds('is_public=0', owner), [members, hidden]);
    const { list: items } = await list('is_public=0&order=asc', owner);
    const item = items.find(({ id }: Item) => id === members);
    assert.deepEqual([item.visibility, item.is_public, item.effective_visibility], ['members', 0, 'members']);
    for (const id of [members, hidden]) assertDone(await owner.delete(`/api/photos/${id}`));
  });

  test('shows an admin the private photos of others only in an album and in the administration', async () => {
    const hidden = await add(owner, 'private', 8, album);
    const own = await add(admin, 'private', 8);
    assert.deepEqual(await readIds('is_public=0', admin), [own]);
    assert.equal((await list('', admin)).pagination.total, many + 1);
    assert.deepEqual(await readIds(`album_id=${album}`, admin), [...ids.slice(0, 7), hidden]);
    assert.deepEqual(await readIds(`album_id=${album}`, stranger), ids.slice(0, 7));
    for (const [query, expected] of [
      ['', [...ids, hidden, own]],
      [`user_id=${owner.id}`, [...ids, hidden]],
      [`user_id=${admin.id}`, [own]],
      ['keyword=Title 3', [...ids.filter((_, n) => n % 5 === 3), hidden, own]],
    ] as const) {
      const all = assertRead(await admin.get(`/api/admin/photos?limit=100&${query}`));
      assert.deepEqual([idsOf(all), all.pagination.total], [expected, expected.length], query);
    }
  });
});
