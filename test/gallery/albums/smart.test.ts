/**
 * Smart albums show the photos that their rule finds, to each viewer only the photos that the viewer may see.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  disableAccount,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('smart albums', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let admin: Person;
  let visitor: Person;
  let ordinary: number;
  let smart: number;
  const ids: Record<string, number> = {};

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    bea = await register(gallery, 'bea');
    admin = await registerAdmin(gallery, 'admin');
    visitor = asVisitor(gallery);
    ordinary = await addAlbum(ann, 'Ordinary');
    const closed = await addAlbum(ann, 'Closed', { isPublic: false });
    const add = async (who: Person, title: string, fields: Record<string, string> = {}) => {
      const picture = await createJpeg({ width: 30, height: title === 'tall' ? 40 : 20 });
      ids[title] = (await addPhoto(who, { title, tags: 'sea', ...fields }, picture)).id;
    };
    await add(ann, 'first');
    await add(ann, 'tall', { album_id: String(ordinary) });
    await add(ann, 'land', { tags: 'land' });
    await add(ann, 'in closed', { album_id: String(closed) });
    await add(ann, 'trashed');
    await add(ann, 'secret', { is_public: '0' });
    await add(bea, 'of bea');
    assertDone(await ann.delete(`/api/photos/${ids.trashed}`));
    smart = await addSmart(ann, 'Sea', 'tag:sea');
  });
  after(() => gallery?.close());

  async function addSmart(who: Person, name: string, rule: string, more: object = {}): Promise<number> {
    return assertWritten(await who.post('/api/albums', { name, rule, ...more })).id;
  }
  const titlesIn = async (who: Person, path: string): Promise<string[]> => {
    const { list, pagination } = assertRead(await who.get(path));
    assert.equal(pagination.total, list.length, path);
    return list.map(({ title }: { title: string }) => title);
  };
  const inside = (who: Person, id: number, query = '') => titlesIn(who, `/api/albums/${id}/photos${query}`);
  const read = async (who: Person, id: number) => assertRead(await who.get(`/api/albums/${id}`));
  const readKey = (path: string) => /\/storage\/(\w+)\./.exec(path)?.[1];
  const readPhotoKey = async (title: string) =>
    readKey(assertRead(await ann.get(`/api/photos/${ids[title]}`)).thumb);

  const open = ['tall', 'first'];
  const own = ['secret', 'in closed', 'tall', 'first'];

  test('smart albums can be created and read, but show their rule only to their owner and admins', async () => {
    const made = await read(ann, smart);
    assert.deepEqual([made.is_smart, made.rule, made.photo_count], [true, 'tag:sea', 4]);
    for (const who of [bea, visitor]) {
      const seen = await read(who, smart);
      assert.deepEqual([seen.is_smart, seen.rule, seen.photo_count], [true, null, 2]);
    }
    assert.equal((await read(admin, smart)).rule, 'tag:sea');
    const { is_smart, rule } = await read(ann, ordinary);
    assert.deepEqual([is_smart, rule], [false, null]);
    const withoutRule = assertWritten(await ann.post('/api/albums', { name: 'No rule', rule: null }));
    assert.deepEqual([withoutRule.is_smart, withoutRule.rule], [false, null]);
  });

  test('smart albums contain visible photos of their owner that the rule finds, the newest first', async () => {
    for (const who of [bea, visitor]) assert.deepEqual(await inside(who, smart), open);
    for (const who of [ann, admin]) assert.deepEqual(await inside(who, smart), own);
    assert.deepEqual(await inside(ann, smart, '?order=asc'), own.toReversed());
    assert.deepEqual(await inside(ann, smart, '?sort=title&order=asc'), [
      'first',
      'in closed',
      'secret',
      'tall',
    ]);
    assert.deepEqual(await inside(ann, smart, '?q=shape:portrait'), ['tall']);
    assert.deepEqual(await inside(ann, smart, '?q=-shape:portrait&is_public=1'), ['in closed', 'first']);
    assert.deepEqual(await inside(bea, smart, '?q=of'), []);
    const filters = '?tag=sea&keyword=ir&date_from=2000-01-01&date_to=2100-01-01';
    for (const sort of ['likes', 'size', 'taken_time', 'position'])
      assert.deepEqual(await inside(bea, smart, `${filters}&sort=${sort}`), ['first']);
    assert.deepEqual(await inside(bea, smart, '?is_public=0'), []);
    assert.deepEqual(await titlesIn(bea, `/api/photos?album_id=${smart}`), open);
    assert.deepEqual(await titlesIn(bea, `/api/photos?album_id=${smart}&user_id=${bea.id}`), []);
    assert.deepEqual(await titlesIn(ann, `/api/photos?album_id=${smart}&user_id=${ann.id}`), own);
  });

  test('smart albums have pages, and find the page of a photo', async () => {
    const { list, pagination } = assertRead(await ann.get(`/api/albums/${smart}/photos?limit=3&page=2`));
    assert.deepEqual([list.length, list[0].title, pagination.total, pagination.pages], [1, 'first', 4, 2]);
    const around = await ann.get(`/api/albums/${smart}/photos?limit=3&around=${ids.first}`);
    assert.equal(assertRead(around).pagination.page, 2);
    assertRefused(await bea.get(`/api/albums/${smart}/photos?around=${ids.secret}`), 404, 20003);
    assertRefused(await ann.get(`/api/albums/${smart}/photos?around=${ids.land}`), 404, 20003);
  });

  test('smart albums have counts and covers for each viewer, in lists and in details', async () => {
    const [newestOpen, newestOwn] = [await readPhotoKey('tall'), await readPhotoKey('secret')];
    for (const [who, count, cover] of [
      [visitor, 2, newestOpen],
      [bea, 2, newestOpen],
      [ann, 4, newestOwn],
      [admin, 2, newestOpen],
    ] as const) {
      for (const path of ['/api/albums', `/api/users/${ann.id}/albums`]) {
        const { list } = assertRead(await who.get(path));
        const album = list.find(({ id }: { id: number }) => id === smart);
        assert.deepEqual([album.photo_count, readKey(album.cover)], [count, cover], `${who.name}: ${path}`);
      }
      const detail = await read(who, smart);
      const isOpenToAdmin = who === admin;
      assert.equal(detail.photo_count, isOpenToAdmin ? 4 : count, who.name);
      assert.equal(readKey(detail.cover), isOpenToAdmin ? newestOwn : cover, who.name);
    }
    const none = await addSmart(ann, 'None', 'tag:nothing');
    assert.deepEqual([(await read(ann, none)).photo_count, (await read(ann, none)).cover], [0, '']);
    assertDone(await ann.delete(`/api/albums/${none}`));
  });

  test('smart albums have months and facets of the photos that the viewer can see', async () => {
    const months = async (who: Person) =>
      assertRead(await who.get(`/api/timeline?album_id=${smart}`)).list.map(
        ({ count }: { count: number }) => count,
      );
    assert.deepEqual([await months(visitor), await months(ann)], [[2], [4]]);
    const facets = async (who: Person) => assertRead(await who.get(`/api/facets?album_id=${smart}`)).tags;
    assert.deepEqual(await facets(bea), [{ name: 'sea', count: 2 }]);
    assert.deepEqual(await facets(ann), [{ name: 'sea', count: 4 }]);
  });

  test('a query can name a smart album, and finds only photos that the viewer can see', async () => {
    const asked = (q: string) => `/api/photos?q=${encodeURIComponent(q)}`;
    for (const who of [bea, visitor]) {
      assert.deepEqual(await titlesIn(who, asked(`album:${smart}`)), open);
      assert.deepEqual(await titlesIn(who, asked(`-album:${smart} -land`)), ['of bea']);
    }
    assert.deepEqual(await titlesIn(bea, asked(`album:${smart} OR "of bea"`)), ['of bea', ...open]);
    assert.deepEqual(await titlesIn(ann, asked(`album:${smart} is:private`)), ['secret', 'in closed']);
    assertWritten(await bea.post(`/api/photos/${ids.tall}/favorite`));
    const favorites = `/api/users/${bea.id}/favorites?q=album:${smart}`;
    assert.deepEqual(await titlesIn(bea, favorites), ['tall']);

    const hidden = await addSmart(ann, 'Hidden', 'tag:sea shape:portrait', { is_public: 0 });
    assert.deepEqual(await titlesIn(ann, asked(`album:${hidden}`)), ['tall']);
    assert.deepEqual(await titlesIn(bea, asked(`album:${hidden}`)), [], 'what it finds would tell its rule');
    assert.equal((await titlesIn(bea, asked(`-album:${hidden}`))).length, 4);
    assertRefused(await bea.get(`/api/albums/${hidden}`), 403, 30002);
    assertRefused(await bea.get(`/api/albums/${hidden}/photos`), 403, 30002);
    assertDone(await ann.delete(`/api/albums/${hidden}`));

    const four = Array.from({ length: 4 }, () => `album:${smart}`).join(' OR ');
    assertRefused(await bea.get(asked(four)), 400, 400, ['q']);
    const favoritesOfFour = `/api/users/${bea.id}/favorites?q=${encodeURIComponent(four)}`;
    assertRefused(await bea.get(favoritesOfFour), 400, 400, ['q']);
    assert.equal((await titlesIn(bea, asked(four.replaceAll(String(smart), '999999')))).length, 0);
  });

  test('likes and favorites in the rule of a smart album are those of its owner, for every viewer', async () => {
    const liked = await addSmart(ann, 'Liked', 'is:liked OR is:favorite');
    assertWritten(await ann.post(`/api/photos/${ids.first}/like`));
    assertWritten(await ann.post(`/api/photos/${ids.secret}/favorite`));
    assertWritten(await ann.post(`/api/photos/${ids['of bea']}/like`));
    assertWritten(await bea.post(`/api/photos/${ids.tall}/like`));
    for (const who of [bea, visitor]) assert.deepEqual(await inside(who, liked), ['first']);
    for (const who of [ann, admin]) assert.deepEqual(await inside(who, liked), ['secret', 'first']);
    assert.deepEqual(await titlesIn(bea, `/api/photos?q=is:liked+album:${liked}`), []);
    assert.deepEqual(await titlesIn(bea, `/api/photos?q=is:liked`), ['tall']);
    const { list } = assertRead(await bea.get(`/api/albums/${liked}/photos`));
    assert.equal(list[0].is_liked, false, "the viewer's own likes are the viewer's");
    assertDone(await ann.delete(`/api/albums/${liked}`));
  });

  test('smart albums contain no photos of others, and no photo twice', async () => {
    for (const [rule, expected] of [
      ['by:bea', []],
      ['-by:ann', []],
      [`album:${ordinary}`, ['tall']],
      ['is:public', ['land', ...open]],
      ['is:private', ['secret', 'in closed']],
      ['sea OR tag:land OR shape:portrait OR first', ['secret', 'in closed', 'land', 'tall', 'first']],
    ] as const) {
      const id = await addSmart(ann, 'Rule', rule);
      assert.deepEqual(await inside(ann, id), expected, rule);
      const public_ = expected.filter((title) => title !== 'secret' && title !== 'in closed');
      assert.deepEqual(await inside(bea, id), public_, rule);
      assert.deepEqual((await read(ann, id)).photo_count, expected.length, rule);
      assertDone(await ann.delete(`/api/albums/${id}`));
    }
  });

  test('smart albums change no visibility in any place, and deleting one deletes no photo', async () => {
    const outer = await addAlbum(ann, 'Outer', { isPublic: false });
    const id = await addSmart(ann, 'Private', 'tag:sea', { is_public: 0, parent_id: outer });
    for (const change of [{ is_public: 1 }, { parent_id: 0 }, { is_public: 0 }, { is_public: 1 }]) {
      assertWritten(await ann.put(`/api/albums/${id}`, change));
      assert.equal(assertRead(await visitor.get('/api/photos')).pagination.total, 4);
      assert.equal((await visitor.get(`/api/photos/${ids.secret}`)).body.code, 20004);
    }
    assert.deepEqual(await inside(visitor, id), open);
    assertDone(await ann.delete(`/api/albums/${outer}`));
    assertDone(await ann.delete(`/api/albums/${id}`));
    assertRefused(await ann.get(`/api/albums/${id}/photos`), 404, 30001);
    assert.deepEqual(await inside(ann, smart), own);
    await assertAlbumsConsistent(gallery);
  });

  test('smart albums follow changes of photos at once', async () => {
    assertDone(await ann.put(`/api/photos/${ids.tall}`, { is_public: 0 }));
    assert.deepEqual(await inside(bea, smart), ['first']);
    assert.equal((await read(bea, smart)).photo_count, 1);
    assert.equal(readKey((await read(bea, smart)).cover), await readPhotoKey('first'));
    assertDone(await ann.put(`/api/photos/${ids.tall}`, { is_public: 1, tags: ['land'] }));
    assert.deepEqual(await inside(bea, smart), ['first']);
    assertDone(await ann.put(`/api/photos/${ids.tall}`, { tags: ['sea'] }));
    assertDone(await ann.delete(`/api/photos/${ids.first}`));
    assert.deepEqual(await inside(bea, smart), ['tall']);
    assertDone(await ann.post(`/api/photos/${ids.first}/restore`));
    assert.deepEqual(await inside(bea, smart), open);
  });

  test('show photos for members to everyone who is signed in', async () => {
    const fields = { title: 'club', tags: 'club', visibility: 'members' };
    const { id } = await addPhoto(ann, fields, await createJpeg({ width: 31, height: 20 }));
    ids.club = id;
    const club = await addSmart(ann, 'Club', 'tag:club');
    const only = await addSmart(ann, 'Only members', 'is:members', { visibility: 'members' });
    assert.deepEqual(await inside(visitor, club), []);
    assert.deepEqual([(await read(visitor, club)).photo_count, (await read(visitor, club)).cover], [0, '']);
    assertRefused(await visitor.get(`/api/albums/${only}/photos`), 403, 30002);
    for (const who of [bea, ann, admin]) {
      for (const album of [club, only]) assert.deepEqual(await inside(who, album), ['club'], who.name);
      const seen = await read(who, club);
      assert.deepEqual([seen.photo_count, readKey(seen.cover)], [1, await readPhotoKey('club')]);
      const asked = `/api/photos?q=${encodeURIComponent(`album:${club} is:members`)}`;
      assert.deepEqual(await titlesIn(who, asked), ['club']);
    }
    assert.deepEqual(await titlesIn(visitor, `/api/photos?q=album:${club}`), []);
    assert.deepEqual(await inside(ann, club, '?q=is:private'), []);
    for (const album of [club, only]) assertDone(await ann.delete(`/api/albums/${album}`));
    assertDone(await ann.delete(`/api/photos/${id}`));
  });

  test('are hidden with the account of their owner', async () => {
    const dan = await register(gallery, 'dan');
    await addPhoto(dan, { title: 'of dan', tags: 'sea' });
    const id = await addSmart(dan, 'Of dan', 'tag:sea');
    assert.deepEqual(await inside(bea, id), ['of dan']);
    await disableAccount(gallery, dan);
    for (const who of [bea, visitor]) {
      assertRefused(await who.get(`/api/albums/${id}/photos`), 403, 30002);
      assert.deepEqual(await titlesIn(who, `/api/photos?q=album:${id}`), []);
    }
    assert.equal((await read(admin, id)).rule, 'tag:sea');
  });
});
