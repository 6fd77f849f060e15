/**
 * Tests the three levels of albums, and what becomes of the levels of photos and inner albums that leave an album.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { assertAlbumsConsistent, waitForSearchIndex } from '../../support/albums.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

describe('levels', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let anybody: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    anybody = asVisitor(gallery);
  });
  afterEach(() => assertAlbumsConsistent(gallery));
  after(() => gallery.close());

  const read = async (who: Person, id: number) => assertRead(await who.get(`/api/albums/${id}`));
  const readLevel = async (path: string) => assertRead(await owner.get(`/api/${path}`)).visibility;
  const readNames = async (who: Person, query: string) =>
    assertRead(await who.get(`/api/albums?${query}`)).list.map(({ name }: { name: string }) => name);
  const readIds = async (who: Person, path: string): Promise<number[]> => {
    const { list, pagination } = assertRead(await who.get(path));
    assert.equal(pagination.total, list.length);
    return list.map(({ id }: { id: number }) => id);
  };
  const inAlbum = (who: Person, id: number) => readIds(who, `/api/albums/${id}/photos`);
  const add = (who: Person, id: number, ids: number[]) => who.post(`/api/albums/${id}/photos`, { ids });
  const remove = (who: Person, id: number, ids: number[]) =>
    who.send('DELETE', `/api/albums/${id}/photos`, {
      body: JSON.stringify({ ids }),
      headers: { 'content-type': 'application/json' },
    });
  const photos = (n: number, fields = {}) =>
    Promise.all(Array.from({ length: n }, () => addPhoto(owner, fields)));

  test('albums for members are seen by everyone who is signed in, and by no one else', async () => {
    const make = async (body: object) => assertWritten(await owner.post('/api/albums', body));
    const outer = await make({ name: 'Club', visibility: 'members' });
    const inner = await make({ name: 'Club night', parent_id: outer.id });
    const level = ({ visibility, is_public, effective_visibility }: Record<string, unknown>) => [
      visibility,
      is_public,
      effective_visibility,
    ];
    assert.deepEqual(level(outer), ['members', 0, 'members']);
    assert.deepEqual(level(inner), ['public', 1, 'members'], 'the album above narrows it');
    assert.deepEqual((await read(stranger, inner.id)).parents.map(level), [['members', 0, 'members']]);
    assert.deepEqual((await read(stranger, outer.id)).children.map(level), [['public', 1, 'members']]);
    const readClub = async (who: Person) =>
      (await readNames(who, `user_id=${owner.id}&keyword=club&sort=name&order=asc`)).join();
    for (const who of [owner, stranger, admin]) assert.equal(await readClub(who), 'Club,Club night');
    assert.equal(await readClub(anybody), '');
    for (const { id } of [outer, inner]) {
      assertRefused(await anybody.get(`/api/albums/${id}`), 403, 30002);
      assertRefused(await anybody.get(`/api/albums/${id}/photos`), 403, 30002);
    }

    const path = ({ thumb }: { thumb: string }) => thumb.split('?')[0];
    const album = await addAlbum(owner, 'Three levels');
    const photos: Record<string, { id: number; thumb: string }> = {};
    for (const visibility of ['public', 'members', 'private']) {
      photos[visibility] = await addPhoto(owner, { visibility, album_id: String(album) });
      gallery.travel(5);
    }
    for (const [who, count, cover] of [
      [anybody, 1, 'public'],
      [stranger, 2, 'members'],
      [admin, 3, 'private'],
      [owner, 3, 'private'],
    ] as const) {
      const seen = await read(who, album);
      assert.deepEqual([seen.photo_count, seen.cover.split('?')[0]], [count, path(photos[cover]!)], who.name);
    }
    const { cover } = await read(stranger, album);
    assert.equal((await anybody.get(cover)).status, 200, 'the path is signed');
    assert.equal((await anybody.get(cover.split('?')[0])).status, 403);
  });

  test('albums keep the level members for clients that know only is_public, and are widened by their owner alone', async () => {
    const album = await addAlbum(owner, 'Level');
    assertWritten(await admin.put(`/api/albums/${album}`, { visibility: 'members' }));
    assertWritten(await owner.put(`/api/albums/${album}`, { is_public: 0 }));
    assert.equal(await readLevel(`albums/${album}`), 'members');
    for (const body of [{ visibility: 'public' }, { is_public: 1, name: 'Renamed' }]) {
      assertRefused(await admin.put(`/api/albums/${album}`, body), 403, 30002);
    }
    assert.deepEqual(
      [await readLevel(`albums/${album}`), (await read(owner, album)).name],
      ['members', 'Level'],
    );
    assertWritten(await admin.put(`/api/albums/${album}`, { visibility: 'private' }));
    assertRefused(await admin.put(`/api/albums/${album}`, { visibility: 'members' }), 403, 30002);
    assertWritten(await owner.put(`/api/albums/${album}`, { visibility: 'members' }));
    assertWritten(await owner.put(`/api/albums/${album}`, { is_public: 1 }));
    assert.equal(await readLevel(`albums/${album}`), 'public');
  });

  test('photos moved below a private album, and out of the trash there, they are hidden', async () => {
    const closed = await addAlbum(owner, 'Closed', { isPublic: false });
    const open = await addAlbum(owner, 'Open');
    const [a, b] = (await photos(2, { title: 'Lantern' })).map(({ id }) => id) as [number, number];
    assertWritten(await add(owner, open, [a, b]));
    assertDone(await owner.delete(`/api/photos/${b}`));
    assertWritten(await owner.put(`/api/albums/${open}`, { parent_id: closed }));
    assertRefused(await anybody.get(`/api/photos/${a}`), 403, 20004);
    assertDone(await owner.post(`/api/photos/${b}/restore`));
    assertRefused(await anybody.get(`/api/photos/${b}`), 403, 20004);
    assert.deepEqual(await readIds(anybody, '/api/photos?keyword=lantern'), []);
    assertDone(await owner.put(`/api/photos/${a}`, { album_id: null, title: 'Lantern lit' }));
    assertWritten(await owner.put(`/api/albums/${open}`, { parent_id: 0 }));
    await waitForSearchIndex(gallery);
    assert.deepEqual(await readIds(anybody, '/api/photos?keyword=lantern'), [], 'leaving shows nothing');
    assertRefused(await anybody.get(`/api/photos/${a}`), 403, 20004);
    assertRefused(await anybody.get(`/api/albums/${open}`), 403, 30002);
    assert.equal(await readLevel(`photos/${a}`), 'private');
    assert.equal(await readLevel(`albums/${open}`), 'private');
    assert.equal(await readLevel(`photos/${b}`), 'public', 'a photo that stays in its album keeps its level');

    assertDone(await owner.put(`/api/photos/${a}`, { visibility: 'public' }));
    assert.deepEqual(await readIds(anybody, '/api/photos?keyword=lantern'), [a]);
    assertWritten(await owner.put(`/api/albums/${open}`, { is_public: 1 }));
    const both = [a, b].sort((one, other) => other - one);
    assert.deepEqual(await readIds(anybody, '/api/photos?keyword=lantern'), both);
  });

  test('photos that leave a private album become public only by a level that the owner names', async () => {
    const closed = await addAlbum(owner, 'Closed', { isPublic: false });
    const open = await addAlbum(owner, 'Open');
    const [a, b, c, d] = (await photos(4, { album_id: String(closed) })).map(({ id }) => id) as [
      number,
      number,
      number,
      number,
    ];
    const inner = await addAlbum(owner, 'Inner', { parentId: closed });
    const isSeen = async (path: string) => (await anybody.get(`/api/${path}`)).status === 200;

    assertDone(await owner.put(`/api/photos/${a}`, { album_id: open, is_public: 1 }));
    assert.equal(await isSeen(`photos/${a}`), true);
    assertDone(await owner.put(`/api/photos/${b}`, { album_id: open }));
    assertWritten(await owner.post(`/api/albums/${open}/photos`, { ids: [c], move: true }));
    assertDone(await admin.put(`/api/photos/${d}`, { album_id: 0 }));
    for (const id of [b, c, d]) {
      assert.equal(await readLevel(`photos/${id}`), 'private');
      assert.equal(await isSeen(`photos/${id}`), false);
      assertRefused(await admin.put(`/api/photos/${id}`, { visibility: 'members' }), 403, 20004);
      assertRefused(await admin.put(`/api/photos/${id}`, { is_public: 1 }), 403, 20004);
    }
    assert.deepEqual(await inAlbum(anybody, open), [a]);
    assertWritten(await owner.put(`/api/albums/${inner}`, { parent_id: 0, visibility: 'public' }));
    assert.equal(await isSeen(`albums/${inner}`), true);
  });

  test('photos in an album for members are shown to members, and stay for them when they leave it', async () => {
    const club = assertWritten(await owner.post('/api/albums', { name: 'Club', visibility: 'members' })).id;
    const inner = await addAlbum(owner, 'Inner', { parentId: club });
    const fields = { title: 'Clubhouse', tags: 'clubhouse' };
    const [open, own, below] = [
      await addPhoto(owner, { ...fields, album_id: String(club) }),
      await addPhoto(owner, { ...fields, album_id: String(club), visibility: 'private' }),
      await addPhoto(owner, { ...fields, album_id: String(inner) }),
    ];
    const queries = ['keyword=clubhouse', 'keyword=cl', 'tag=clubhouse', 'q=clubhouse'];
    const expect = async (who: Person, ids: number[]) => {
      for (const query of queries) assert.deepEqual(await readIds(who, `/api/photos?${query}`), ids, query);
    };
    const expectMembers = async () => {
      await waitForSearchIndex(gallery);
      await expect(owner, [below.id, own.id, open.id]);
      for (const who of [stranger, admin]) await expect(who, [below.id, open.id]);
      await expect(anybody, []);
      for (const { id, thumb } of [open, below]) {
        assert.equal(assertRead(await stranger.get(`/api/photos/${id}`)).effective_visibility, 'members');
        assertRefused(await anybody.get(`/api/photos/${id}`), 403, 20004);
        assert.equal((await anybody.get(thumb.split('?')[0]!)).status, 403);
        assert.equal((await stranger.get(thumb.split('?')[0]!)).status, 200);
      }
      assertRefused(await stranger.get(`/api/photos/${own.id}`), 403, 20004);
    };
    await expectMembers();
    assert.deepEqual(await inAlbum(stranger, club), [open.id]);
    assert.deepEqual(await inAlbum(admin, club), [open.id, own.id]);
    assertRefused(await anybody.get(`/api/photos?album_id=${club}`), 403, 30002);

    assertWritten(await remove(owner, club, [open.id]));
    assert.equal(await readLevel(`photos/${open.id}`), 'members');
    await expectMembers();
    assertDone(await owner.delete(`/api/albums/${club}`));
    assert.deepEqual(
      [await readLevel(`albums/${inner}`), await readLevel(`photos/${own.id}`)],
      ['members', 'private'],
    );
    await expectMembers();
    assert.equal(await readLevel(`photos/${below.id}`), 'public');
    assertDone(await owner.delete(`/api/albums/${inner}`));
    assert.equal(await readLevel(`photos/${below.id}`), 'members');
    await expectMembers();
    assertDone(await owner.put(`/api/photos/${below.id}`, { is_public: 1 }));
    await expect(anybody, [below.id]);
  });

  test('photos stay when their album is deleted, and inner albums move up', async () => {
    const outer = await addAlbum(owner, 'Outer');
    const closed = await addAlbum(owner, 'Closed', { isPublic: false, parentId: outer });
    const inner = await addAlbum(owner, 'Inner', { parentId: closed });
    const direct = await addPhoto(owner, { album_id: String(closed) });
    const trashed = await addPhoto(owner, { album_id: String(closed) });
    const below = await addPhoto(owner, { album_id: String(inner) });
    assertDone(await owner.delete(`/api/photos/${trashed.id}`));
    assertWritten(await owner.put(`/api/albums/${outer}`, { cover_id: direct.id }));
    assertRefused(await anybody.get(`/api/albums/${inner}`), 403, 30002);

    assertDone(await owner.delete(`/api/albums/${closed}`));
    const moved = assertRead(await owner.get(`/api/albums/${inner}`));
    assert.deepEqual([moved.parent_id, moved.photo_count, moved.visibility], [outer, 1, 'private']);
    assertDone(await owner.post(`/api/photos/${trashed.id}/restore`));
    for (const { id } of [direct, trashed]) {
      const { album, visibility } = assertRead(await owner.get(`/api/photos/${id}`));
      assert.deepEqual(
        [album, visibility],
        [null, 'private'],
        'it keeps the level that counted in the album',
      );
      assertRefused(await anybody.get(`/api/photos/${id}`), 403, 20004);
    }
    assertRefused(await anybody.get(`/api/albums/${inner}`), 403, 30002);

    assertWritten(await owner.put(`/api/albums/${inner}`, { is_public: 1 }));
    assert.deepEqual(await inAlbum(anybody, inner), [below.id]);
    assertDone(await owner.put(`/api/photos/${direct.id}`, { is_public: 1 }));
    assert.equal(assertRead(await anybody.get(`/api/photos/${direct.id}`)).album, null);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
