import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

const albumFields = [
  'id',
  'name',
  'description',
  'cover',
  'visibility',
  'is_public',
  'effective_visibility',
  'parent_id',
  'photo_count',
  'is_smart',
  'rule',
  'user',
  'create_time',
  'update_time',
];

describe('albums', () => {
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
  const readNames = async (who: Person, query: string) =>
    assertRead(await who.get(`/api/albums?${query}`)).list.map(({ name }: { name: string }) => name);

  test('albums can be created, read, changed and deleted', async () => {
    const body = { name: '  Alps ', description: 'Two weeks' };
    const made = assertWritten(await owner.post('/api/albums', body));
    assert.deepEqual(Object.keys(made), albumFields);
    const { id, create_time, update_time, ...rest } = made;
    assert.match(create_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.equal(update_time, create_time);
    assert.deepEqual(rest, {
      name: 'Alps',
      description: 'Two weeks',
      cover: '',
      visibility: 'public',
      is_public: 1,
      effective_visibility: 'public',
      parent_id: 0,
      photo_count: 0,
      is_smart: false,
      rule: null,
      user: { id: owner.id, username: 'owner', nickname: made.user.nickname, avatar: '' },
    });
    assert.deepEqual(await read(anybody, id), { ...made, parents: [], children: [] });

    gallery.travel(5);
    const saved = assertWritten(await owner.put(`/api/albums/${id}`, { name: 'The Alps' }));
    assert.deepEqual([saved.name, saved.description], ['The Alps', 'Two weeks']);
    assert.ok(saved.update_time > update_time);
    assert.deepEqual(await read(owner, id), saved);

    assertDone(await owner.delete(`/api/albums/${id}`));
    for (const who of [owner, anybody]) assertRefused(await who.get(`/api/albums/${id}`), 404, 30001);
    assertRefused(await owner.delete(`/api/albums/${id}`), 404, 30001);
  });

  test('albums refuse invalid input field by field', async () => {
    const id = await addAlbum(owner, 'Right');
    for (const [body, fields] of [
      [{}, ['name']],
      [{ name: '' }, ['name']],
      [{ name: '   ' }, ['name']],
      [{ name: 'x'.repeat(101) }, ['name']],
      [{ name: 7, description: 'x'.repeat(2001), parent_id: -1, is_public: 2 }, undefined],
    ] as const) {
      assertRefused(await owner.post('/api/albums', body), 400, 400, [
        ...(fields ?? ['name', 'description', 'parent_id', 'is_public']),
      ]);
    }
    for (const levels of [
      { visibility: 'public', is_public: 0 },
      { visibility: 'members', is_public: 1 },
      { visibility: 'private', is_public: 1 },
    ]) {
      for (const answer of [
        await owner.post('/api/albums', { name: 'Both', ...levels }),
        await owner.put(`/api/albums/${id}`, levels),
      ]) {
        assertRefused(answer, 400, 400, ['visibility', 'is_public']);
      }
    }
    assertRefused(await owner.put(`/api/albums/${id}`, { visibility: 'friends' }), 400, 400, ['visibility']);
    assertRefused(await owner.put(`/api/albums/${id}`, { cover_id: 'x', name: null }), 400, 400, [
      'name',
      'cover_id',
    ]);
    assertRefused(await owner.post('/api/albums', { name: 'In nothing', parent_id: 999_999 }), 404, 30001);
    assertRefused(await owner.put(`/api/albums/${id}`, { parent_id: 999_999 }), 404, 30001);
    assertRefused(await owner.get('/api/albums/x'), 400, 400, ['id']);
    assertRefused(await owner.get('/api/albums?sort=size&parent_id=-1&user_id=0'), 400, 400, [
      'user_id',
      'parent_id',
      'sort',
    ]);
    assert.equal((await read(owner, id)).name, 'Right');
  });

  test('others can read but not change a public album', async () => {
    const open = await addAlbum(owner, 'Open');
    const closed = await addAlbum(owner, 'Closed', { isPublic: false });
    const { id: photo } = await addPhoto(owner, { album_id: String(open) });
    for (const who of [stranger, anybody]) {
      assert.equal((await read(who, open)).name, 'Open');
      const answer = await who.get(`/api/albums/${closed}`);
      assertRefused(answer, 403, 30002);
      assert.ok(!answer.bytes.includes('Closed'));
      assertRefused(await who.get(`/api/albums/${closed}/photos`), 403, 30002);
    }
    const ids = { body: JSON.stringify({ ids: [photo] }), headers: { 'content-type': 'application/json' } };
    for (const [who, status, code] of [
      [stranger, 403, 30002],
      [anybody, 401, 401],
    ] as const) {
      assertRefused(await who.put(`/api/albums/${open}`, { name: 'Mine' }), status, code);
      assertRefused(await who.delete(`/api/albums/${open}`), status, code);
      assertRefused(await who.send('POST', `/api/albums/${open}/photos`, ids), status, code);
      assertRefused(await who.send('DELETE', `/api/albums/${open}/photos`, ids), status, code);
      assertRefused(await who.send('PUT', `/api/albums/${open}/order`, ids), status, code);
    }
    assertRefused(await stranger.post('/api/albums', { name: 'Inside', parent_id: open }), 403, 30002);
    const theirs = await addAlbum(stranger, 'Theirs');
    assertRefused(await owner.put(`/api/albums/${open}`, { parent_id: theirs }), 403, 30002);
    assert.equal((await read(admin, closed)).name, 'Closed');
    assertWritten(await admin.put(`/api/albums/${closed}`, { description: 'Seen' }));
    assert.equal((await read(owner, closed)).description, 'Seen');
    assertRefused(await admin.put(`/api/albums/${closed}`, { parent_id: theirs }), 403, 30002);
  });

  test('lists, filters and sorts albums for each viewer', async () => {
    const lister = await register(gallery, 'lister');
    const top = await addAlbum(lister, 'b top');
    const inner = await addAlbum(lister, 'A inner', { parentId: top });
    await addAlbum(lister, 'c 100%_\\', { isPublic: false });
    for (let n = 0; n < 2; n++) await addPhoto(lister, { album_id: String(inner) });
    await addPhoto(lister, { album_id: String(top) });
    for (let n = 0; n < 3; n++) await addPhoto(lister, { album_id: String(top), is_public: '0' });

    const of = `user_id=${lister.id}`;
    for (const who of [anybody, stranger]) {
      assert.deepEqual(await readNames(who, `${of}&sort=name&order=asc`), ['A inner', 'b top']);
      assert.deepEqual(await readNames(who, `${of}&sort=photo_count`), ['A inner', 'b top']);
      assert.deepEqual(await readNames(who, `${of}&keyword=100`), []);
    }
    assert.deepEqual(await readNames(lister, `${of}&sort=name&order=asc`), ['A inner', 'b top', 'c 100%_\\']);
    assert.deepEqual(await readNames(lister, `${of}&sort=photo_count`), ['b top', 'A inner', 'c 100%_\\']);
    assert.deepEqual(await readNames(lister, `${of}&parent_id=0&sort=name`), ['c 100%_\\', 'b top']);
    assert.deepEqual(await readNames(lister, `${of}&parent_id=${top}`), ['A inner']);
    for (const keyword of ['INNER', '%25_', '%5C']) {
      assert.equal((await readNames(lister, `${of}&keyword=${keyword}`)).length, 1, keyword);
    }
    assert.deepEqual(await readNames(lister, `${of}&keyword=t_p`), []);
    for (const query of [of, `${of}&sort=photo_count`, `${of}&parent_id=0`, `${of}&keyword=100`]) {
      const seen = await readNames(stranger, query);
      assert.deepEqual(await readNames(admin, query), seen, `an admin sees what members see: ${query}`);
    }
    const secret = await addAlbum(lister, 'e secret', { isPublic: false, parentId: top });
    assert.deepEqual(await readNames(stranger, `parent_id=${top}`), ['A inner']);
    assert.deepEqual((await readNames(admin, `parent_id=${top}`)).sort(), ['A inner', 'e secret']);
    assertDone(await lister.delete(`/api/albums/${secret}`));
    const { list, pagination } = assertRead(await lister.get('/api/albums?sort=photo_count&limit=2'));
    assert.deepEqual(
      list.map(({ name, photo_count }: { name: string; photo_count: number }) => [name, photo_count]),
      [
        ['b top', 4],
        ['A inner', 2],
      ],
    );
    const all = await gallery.deps.db.kysely.selectFrom('albums').selectAll().execute();
    const seen = all.filter(({ visibility, user_id }) => visibility !== 1 || user_id === lister.id);
    assert.equal(pagination.total, seen.length);
    const everyId: number[] = [];
    for (let page = 1; page <= pagination.pages; page++) {
      const { list } = assertRead(await lister.get(`/api/albums?sort=photo_count&limit=2&page=${page}`));
      everyId.push(...list.map(({ id }: { id: number }) => id));
    }
    assert.deepEqual(everyId.sort(), seen.map(({ id }) => id).sort());
    assertRefused(await stranger.get('/api/albums?parent_id=999999'), 404, 30001);
  });

  test('albums nest up to eight levels, and never in themselves', async () => {
    const line: number[] = [];
    for (let level = 1; level <= 8; level++) {
      line.push(await addAlbum(owner, `Level ${level}`, { parentId: line.at(-1) ?? 0 }));
    }
    assertRefused(await owner.post('/api/albums', { name: 'Ninth', parent_id: line[7] }), 400, 30003);
    const { parents } = await read(anybody, line[7]!);
    assert.deepEqual(
      parents,
      line.slice(0, 7).map((id, n) => ({
        ...{ id, name: `Level ${n + 1}` },
        ...{ visibility: 'public', is_public: 1, effective_visibility: 'public' },
      })),
    );
    for (const parent_id of [line[0], line[1], line[7]]) {
      assertRefused(await owner.put(`/api/albums/${line[0]}`, { parent_id }), 400, 30003);
    }
    const tall = await addAlbum(owner, 'Tall');
    await addAlbum(owner, 'Taller', { parentId: tall });
    assertRefused(await owner.put(`/api/albums/${tall}`, { parent_id: line[6] }), 400, 30003);
    assertWritten(await owner.put(`/api/albums/${tall}`, { parent_id: line[5] }));
    const children = (await read(anybody, line[5]!)).children;
    assert.deepEqual(
      children.map(({ name }: { name: string }) => name),
      ['Level 7', 'Tall'],
    );
    assertWritten(await owner.put(`/api/albums/${tall}`, { parent_id: null }));
    assert.equal((await read(owner, tall)).parent_id, 0);
  });

  test('two albums that are moved into each other simultaneously form no circle', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await addAlbum(owner, 'One'), await addAlbum(owner, 'Two')];
      const three = await addAlbum(owner, 'Three');
      const answers = await Promise.all([
        owner.put(`/api/albums/${one}`, { parent_id: two }),
        owner.put(`/api/albums/${two}`, { parent_id: three }),
        admin.put(`/api/albums/${three}`, { parent_id: one }),
      ]);
      assert.deepEqual(answers.map(({ body }) => body.code).sort(), [0, 0, 30003]);
      await assertAlbumsConsistent(gallery);
    }
  });

  test("an album's cover is the chosen photo, or else the newest photo that the viewer can see", async () => {
    const outer = await addAlbum(owner, 'Outer');
    const album = await addAlbum(owner, 'Covered', { parentId: outer });
    const cover = async (who: Person, id = album) => (await read(who, id)).cover.split('?')[0];
    assert.equal(await cover(owner), '');
    const first = await addPhoto(owner, { album_id: String(album) });
    gallery.travel(5);
    const hidden = await addPhoto(owner, { album_id: String(album), is_public: '0' });
    const path = ({ thumb }: { thumb: string }) => thumb.split('?')[0];
    for (const id of [album, outer]) {
      assert.equal(await cover(anybody, id), path(first));
      assert.equal(await cover(owner, id), path(hidden));
    }
    const { cover: signed } = await read(owner, album);
    assert.equal((await owner.get(signed)).status, 200);

    assertWritten(await owner.put(`/api/albums/${outer}`, { cover_id: hidden.id }));
    assert.equal(await cover(owner, outer), path(hidden));
    assert.equal(await cover(stranger, outer), path(first), 'a private cover is not shown');
    assertWritten(await owner.put(`/api/albums/${outer}`, { cover_id: first.id }));
    assert.equal(await cover(owner, outer), path(first));

    const elsewhere = await addPhoto(owner);
    const foreign = await addPhoto(stranger);
    for (const cover_id of [elsewhere.id, foreign.id, 999_999]) {
      assertRefused(await owner.put(`/api/albums/${album}`, { cover_id }), 400, 400, ['cover_id']);
    }
    assertDone(await owner.delete(`/api/photos/${first.id}`));
    assert.equal(await cover(anybody, outer), '', 'a trashed photo is no cover');
    assert.equal(await cover(owner, outer), path(hidden));
    assertDone(await owner.post(`/api/photos/${first.id}/restore`));
    assert.equal(await cover(anybody, outer), path(first));

    const away = await addAlbum(owner, 'Away');
    assertWritten(await owner.put(`/api/albums/${album}`, { parent_id: away }));
    assert.equal(await cover(owner, outer), '', 'what moved away is no longer shown');
    assert.equal(await cover(anybody, away), path(first));
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
