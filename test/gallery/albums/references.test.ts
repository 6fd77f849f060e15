/** Tests albums that contain photos by reference: what such an album shows, and what becomes of references. */
import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { unzip } from '../../support/zip.ts';

suite('albums that contain photos by reference', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let visitor: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    visitor = asVisitor(gallery);
  });
  afterEach(() => assertAlbumsConsistent(gallery));
  after(() => gallery.close());

  const add = (who: Person, album: number, ids: number[], more: object = {}) =>
    who.post(`/api/albums/${album}/photos`, { ids, ...more });
  const remove = (who: Person, album: number, ids: number[]) =>
    who.delete(`/api/albums/${album}/photos?ids=${ids.join()}`);
  const batch = (who: Person, body: object) => who.post('/api/photos/batch', body);
  const readIds = async (who: Person, path: string): Promise<number[]> => {
    const { list, pagination } = assertRead(await who.get(path));
    assert.equal(pagination.total, list.length, path);
    return list.map(({ id }: { id: number }) => id);
  };
  const inAlbum = (who: Person, id: number, query = '') => readIds(who, `/api/albums/${id}/photos?${query}`);
  const readAlbums = async (who: Person, id: number) => {
    const { album, albums } = assertRead(await who.get(`/api/photos/${id}`));
    return [album?.name ?? null, albums.map(({ name, as }: Record<string, string>) => `${name} ${as}`)];
  };
  const readLevel = async (id: number) => {
    const { visibility, effective_visibility } = assertRead(await owner.get(`/api/photos/${id}`));
    return [visibility, effective_visibility];
  };

  test('show, count and sort main photos and references alike', async () => {
    const [main, other] = [await addAlbum(owner, 'Main'), await addAlbum(owner, 'Other')];
    const first = (await addPhoto(owner, { title: 'C', album_id: String(main) })).id;
    const second = (await addPhoto(owner, { title: 'A', album_id: String(other) })).id;
    const third = (await addPhoto(owner, { title: 'B' })).id;

    const added = assertWritten(await add(owner, other, [third, first, second]));
    assert.deepEqual(added.success, [third, first, second]);
    assert.deepEqual(
      added.photos.map(({ id, as, visibility }: Record<string, unknown>) => [id, as, visibility]),
      [
        [third, 'main', 'public'],
        [first, 'reference', 'public'],
        [second, 'main', 'public'],
      ],
    );
    assert.deepEqual(await inAlbum(visitor, other), [second, third, first]);
    assert.deepEqual(await inAlbum(visitor, main), [first]);
    for (const [query, ids] of [
      ['sort=create_time', [third, second, first]],
      ['sort=title&order=asc', [second, third, first]],
      ['sort=views', [third, second, first]],
      ['sort=taken_time&order=asc', [first, second, third]],
      ['q=-is:private&sort=position', [second, third, first]],
    ] as const) {
      assert.deepEqual(await inAlbum(visitor, other, query), ids, query);
    }
    const around = assertRead(await visitor.get(`/api/albums/${other}/photos?around=${first}&limit=2`));
    assert.equal(around.pagination.page, 2);
    assert.deepEqual(await readIds(visitor, `/api/photos?album_id=${other}`), [third, second, first]);
    assert.deepEqual(await readIds(visitor, `/api/photos?q=album:${other}`), [third, second, first]);
    assert.deepEqual(await readIds(owner, `/api/photos?user_id=${owner.id}&q=-album:${other}`), []);
    assert.equal(assertRead(await visitor.get(`/api/albums/${other}`)).photo_count, 3);
    const months = assertRead(await visitor.get(`/api/timeline?album_id=${other}`)).list;
    assert.equal(months[0].count, 3);

    assertDone(await owner.put(`/api/albums/${other}/order`, { ids: [first, second, third] }));
    assert.deepEqual(await inAlbum(visitor, other), [first, second, third]);
    const { bytes } = await visitor.get(`/api/albums/${other}/download`);
    assert.equal((await unzip(bytes)).files.size, 3);
    assertWritten(await owner.put(`/api/albums/${other}`, { cover_id: first }));
    const { thumb } = assertRead(await visitor.get(`/api/photos/${first}`));
    assert.equal(assertRead(await visitor.get(`/api/albums/${other}`)).cover, thumb);

    assert.deepEqual(await readAlbums(visitor, first), ['Main', ['Main main', 'Other reference']]);
    assertWritten(await remove(owner, other, [first]));
    assert.deepEqual(await inAlbum(visitor, other), [second, third]);
    assert.notEqual(assertRead(await visitor.get(`/api/albums/${other}`)).cover, thumb, 'cover is cleared');
    assert.deepEqual(await readAlbums(visitor, first), ['Main', ['Main main']]);
  });

  test('change no level, and stay hidden where the album is hidden', async () => {
    const [closed, open] = [
      await addAlbum(owner, 'Closed', { isPublic: false }),
      await addAlbum(owner, 'Open'),
    ];
    const hidden = (await addPhoto(owner, { album_id: String(closed) })).id;
    const shown = (await addPhoto(owner, { album_id: String(open) })).id;
    assertWritten(await add(owner, open, [hidden]));
    assertWritten(await add(owner, closed, [shown]));
    assert.deepEqual(await readLevel(hidden), ['public', 'private']);
    assert.deepEqual(await readLevel(shown), ['public', 'public']);
    for (const who of [visitor, stranger]) {
      assert.deepEqual(await inAlbum(who, open), [shown]);
      assert.equal(assertRead(await who.get(`/api/albums/${open}`)).photo_count, 1);
      assert.deepEqual(await readAlbums(who, shown), ['Open', ['Open main']]);
      assert.deepEqual(await readIds(who, `/api/photos?q=album:${closed}`), []);
      assertRefused(await who.get(`/api/photos?album_id=${closed}`), 403, 30002);
    }
    for (const who of [owner, admin]) {
      assert.deepEqual(await inAlbum(who, open), [shown, hidden]);
      assert.deepEqual(await readAlbums(who, shown), ['Open', ['Open main', 'Closed reference']]);
    }
    const loose = (await addPhoto(owner)).id;
    assert.deepEqual(await readIds(visitor, `/api/photos?album_id=0&user_id=${owner.id}`), [loose]);
    assertWritten(await remove(owner, open, [shown]));
    assert.deepEqual(await readIds(owner, `/api/photos?album_id=0&user_id=${owner.id}`), [loose]);
    assert.deepEqual(await readIds(visitor, `/api/photos?album_id=0&user_id=${owner.id}`), [loose, shown]);
    assertWritten(await owner.post(`/api/albums/${open}/photos`, { ids: [shown] }));
    assertDone(await owner.put(`/api/albums/${open}/order`, { ids: [shown, hidden] }));
    assertWritten(await remove(owner, closed, [shown]));
    assert.deepEqual(await readLevel(shown), ['public', 'public']);
    assertWritten(await remove(owner, closed, [hidden]));
    assert.deepEqual(await readLevel(hidden), ['private', 'private'], 'leaving never widens');
    assert.deepEqual(await readAlbums(owner, hidden), [null, ['Open reference']]);
    assertDone(await owner.put(`/api/photos/${hidden}`, { visibility: 'public' }));
    assert.deepEqual(await inAlbum(visitor, open), [shown, hidden]);
  });

  test('are no cover of an outer album while the inner album is hidden', async () => {
    const outer = await addAlbum(owner, 'Outer');
    const inner = await addAlbum(owner, 'Inner', { isPublic: false, parentId: outer });
    const { id, thumb } = await addPhoto(owner, { album_id: String(await addAlbum(owner, 'Home')) });
    assertWritten(await add(owner, inner, [id]));
    const readCover = async (who: Person) => assertRead(await who.get(`/api/albums/${outer}`)).cover;
    assert.deepEqual([await readCover(visitor), await readCover(owner)], ['', thumb]);
    const { url } = assertWritten(await owner.post(`/api/albums/${outer}/share`, { type: 'link' }));
    const link = assertRead(await visitor.get(`/api/shares/${url.split('/').at(-1)}`));
    assert.equal(link.album.cover, '', 'a link shows nothing of inner albums');
    assertWritten(await owner.put(`/api/albums/${inner}`, { visibility: 'public' }));
    assert.equal(await readCover(visitor), thumb);
  });

  test('follow a photo into the trash and back, and end with the album', async () => {
    const [one, two] = [await addAlbum(owner, 'One'), await addAlbum(owner, 'Two')];
    const kept = (await addPhoto(owner, { album_id: String(one) })).id;
    const { id } = await addPhoto(owner, { album_id: String(one) });
    assertWritten(await add(owner, two, [id, kept]));
    assertDone(await owner.delete(`/api/photos/${id}`));
    for (const album of [one, two]) {
      assert.deepEqual(await inAlbum(owner, album), [kept]);
      assert.equal(assertRead(await owner.get(`/api/albums/${album}`)).photo_count, 1);
    }
    assert.equal(assertWritten(await remove(owner, two, [id])).failed[0].code, 20003);
    assertWritten(await batch(owner, { action: 'restore', ids: [id] }));
    assert.deepEqual(await inAlbum(owner, two), [id, kept]);
    assertDone(await owner.delete(`/api/albums/${one}`));
    assert.deepEqual(await readAlbums(owner, id), [null, ['Two reference']]);
    const [added] = assertWritten(await add(owner, two, [id])).photos;
    assert.equal(added.as, 'main', 'a photo without a main album gets this one');
    assert.deepEqual(await inAlbum(owner, two), [id, kept]);
  });

  test('move photos on request, and change by batch', async () => {
    const [from, to] = [await addAlbum(owner, 'From', { isPublic: false }), await addAlbum(owner, 'To')];
    const { id } = await addPhoto(owner, { album_id: String(from) });
    const loose = (await addPhoto(owner)).id;
    const foreign = (await addPhoto(stranger)).id;
    const result = assertWritten(
      await batch(owner, { action: 'add', album_id: to, ids: [id, foreign, loose] }),
    );
    assert.deepEqual(result.success, [id, loose]);
    assert.deepEqual(
      result.failed.map(({ code }: { code: number }) => code),
      [20004],
    );
    assert.deepEqual(await readAlbums(owner, id), ['From', ['From main', 'To reference']]);
    const { photos } = assertWritten(await add(owner, to, [id], { move: true }));
    assert.deepEqual(
      photos.map(({ as, effective_visibility }: Record<string, string>) => [as, effective_visibility]),
      [['main', 'private']],
    );
    assert.deepEqual(await inAlbum(owner, from), []);
    assert.deepEqual(await inAlbum(owner, to), [id, loose], 'its position stays');
    assertWritten(await batch(owner, { action: 'remove', album_id: to, ids: [id] }));
    assert.deepEqual(await readAlbums(owner, id), [null, []]);
    assertWritten(await batch(owner, { action: 'move', album_id: from, ids: [id] }));
    assert.deepEqual(await readAlbums(owner, id), ['From', ['From main']]);
    assertRefused(await batch(owner, { action: 'add', ids: [id] }), 400, 400, ['album_id']);
    assertRefused(await batch(owner, { action: 'remove', album_id: 0, ids: [id] }), 400, 400, ['album_id']);
    assertRefused(await batch(owner, { action: 'add', album_id: 999_999, ids: [id] }), 404, 30001);
    assertRefused(await batch(stranger, { action: 'add', album_id: to, ids: [id] }), 403, 30002);
  });

  test('are shown by a link to the album with their images, until they leave it', async () => {
    const [home, shared] = [
      await addAlbum(owner, 'Home', { isPublic: false }),
      await addAlbum(owner, 'Shared', { isPublic: false }),
    ];
    const { id } = await addPhoto(owner, { album_id: String(home) });
    assertWritten(await add(owner, shared, [id]));
    const { url } = assertWritten(await owner.post(`/api/albums/${shared}/share`, { type: 'link' }));
    const token = url.split('/').at(-1);
    const opened = assertRead(await visitor.get(`/api/shares/${token}`));
    assert.deepEqual(
      opened.photos.list.map((photo: { id: number }) => photo.id),
      [id],
    );
    const { thumb } = opened.photos.list[0];
    for (const path of [thumb, opened.album.cover]) assert.equal((await visitor.get(path)).status, 200);
    assertWritten(await remove(owner, shared, [id]));
    assert.equal((await visitor.get(thumb)).status, 403);
    assert.deepEqual(assertRead(await visitor.get(`/api/shares/${token}`)).photos.list, []);
  });

  test('keep one main album when requests move, add and remove at the same time', async () => {
    const albums = await Promise.all(['Red', 'Green', 'Blue'].map((name) => addAlbum(owner, name)));
    const ids = (await Promise.all(Array.from({ length: 6 }, () => addPhoto(owner)))).map((one) => one.id);
    const answers = await Promise.all(
      albums.flatMap((album) => [
        add(owner, album, ids),
        add(owner, album, ids, { move: true }),
        remove(owner, album, ids),
        batch(owner, { action: 'move', album_id: album, ids }),
        owner.delete(`/api/albums/${albums[2]}`),
      ]),
    );
    for (const { status } of answers) assert.ok(status < 500, String(status));
    for (const id of ids) assertRead(await owner.get(`/api/photos/${id}`));
  });
});
