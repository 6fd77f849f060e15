import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { assertAlbumsConsistent, waitForSearchIndex } from '../../support/albums.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

describe('photos in albums', () => {
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

  type Item = { id: number };
  const readIds = async (who: Person, path: string): Promise<number[]> => {
    const { list, pagination } = assertRead(await who.get(path));
    assert.equal(pagination.total, list.length);
    return list.map(({ id }: Item) => id);
  };
  const inAlbum = (who: Person, id: number, query = '') => readIds(who, `/api/albums/${id}/photos?${query}`);
  const json = (body: object) => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const add = (who: Person, id: number, ids: number[]) => who.post(`/api/albums/${id}/photos`, { ids });
  const remove = (who: Person, id: number, ids: number[]) =>
    who.send('DELETE', `/api/albums/${id}/photos`, json({ ids }));
  const photos = (n: number, fields = {}) =>
    Promise.all(Array.from({ length: n }, () => addPhoto(owner, fields)));

  test('photos can be added to albums and removed in bulk, with a result for each photo', async () => {
    const [one, two] = [await addAlbum(owner, 'One'), await addAlbum(owner, 'Two')];
    const [a, b, c, trashed] = (await photos(4)).map(({ id }) => id) as [number, number, number, number];
    const hidden = (await addPhoto(owner, { is_public: '0' })).id;
    const foreign = (await addPhoto(stranger)).id;
    assertDone(await owner.delete(`/api/photos/${trashed}`));

    const { success, failed } = assertWritten(
      await add(owner, one, [c, a, foreign, hidden, 999_999, trashed, c]),
    );
    assert.deepEqual(success, [c, a, hidden]);
    assert.deepEqual(
      failed.map(({ id, code }: { id: number; code: number }) => [id, code]),
      [
        [foreign, 20004],
        [999_999, 20003],
        [trashed, 20003],
      ],
    );
    assert.deepEqual(await inAlbum(owner, one), [c, a, hidden]);
    assert.deepEqual(await inAlbum(anybody, one), [c, a]);
    assert.deepEqual(await inAlbum(anybody, one, 'order=desc'), [a, c]);
    assert.equal(assertRead(await owner.get(`/api/albums/${one}`)).photo_count, 3);
    assert.equal(assertRead(await stranger.get(`/api/albums/${one}`)).photo_count, 2);
    assert.equal(assertRead(await anybody.get(`/api/photos/${a}`)).album.name, 'One');

    assertWritten(await add(owner, one, [b, a]));
    assert.deepEqual(await inAlbum(admin, one), [c, a, hidden, b], 'what is in it stays where it is');
    assertWritten(await owner.post(`/api/albums/${two}/photos`, { ids: [a], move: true }));
    assert.deepEqual(await inAlbum(owner, one), [c, hidden, b]);
    assert.deepEqual(await inAlbum(owner, two), [a]);

    const out = assertWritten(await remove(owner, one, [b, a, 999_999]));
    assert.deepEqual(out.success, [b]);
    assert.deepEqual(
      out.failed.map(({ id, code }: { id: number; code: number }) => [id, code]),
      [
        [a, 20003],
        [999_999, 20003],
      ],
    );
    assert.equal(assertRead(await owner.get(`/api/photos/${b}`)).album, null);
    assert.deepEqual(await inAlbum(owner, two), [a]);
    assertRefused(await add(owner, one, []), 400, 400, ['ids']);
    assertRefused(
      await add(
        owner,
        one,
        Array.from({ length: 501 }, (_, n) => n + 1),
      ),
      400,
      400,
      ['ids'],
    );
    assertRefused(await add(owner, 999_999, [a]), 404, 30001);
  });

  test("an admin can add a photo only to an album of the photo's owner", async () => {
    const theirs = await addAlbum(stranger, 'Theirs');
    const own = await addAlbum(owner, 'Own');
    const { id } = await addPhoto(owner);
    assertRefused(await admin.put(`/api/photos/${id}`, { album_id: theirs }), 403, 30002);
    assert.equal(assertWritten(await add(admin, theirs, [id])).failed[0].code, 20004);
    assertDone(await admin.put(`/api/photos/${id}`, { album_id: own }));
    assert.deepEqual(await inAlbum(anybody, own), [id]);
    assertRefused(await admin.upload(Buffer.from('x'), { album_id: String(own) }), 415, 20001);
  });

  test('photos of an album can be sorted by hand, one range at a time', async () => {
    const album = await addAlbum(owner, 'Ordered');
    const ids = (await photos(5)).map(({ id }) => id);
    assertWritten(await add(owner, album, ids));
    const order = (who: Person, to: unknown) => who.put(`/api/albums/${album}/order`, { ids: to });
    const turned = [...ids].reverse();
    assertDone(await order(owner, turned));
    assert.deepEqual(await inAlbum(anybody, album), turned);
    assertDone(await order(owner, [turned[3], turned[1]]));
    const [first, second, third, fourth, fifth] = turned as [number, number, number, number, number];
    assert.deepEqual(await inAlbum(owner, album), [first, fourth, third, second, fifth]);

    const other = (await addPhoto(owner)).id;
    for (const wrong of [[first, first], [first, other], [first, 999_999], [], ['x'], [0]]) {
      const answer = await order(owner, wrong);
      assert.deepEqual([answer.status, answer.body.code], [400, 400]);
    }
    assertRefused(await order(owner, [first, first]), 400, 400, ['ids']);
    assertDone(await owner.delete(`/api/photos/${third}`));
    assertRefused(await order(owner, [third, first]), 400, 400, ['ids']);
    assertDone(await owner.post(`/api/photos/${third}/restore`));
    assert.deepEqual(await inAlbum(owner, album), [first, fourth, third, second, fifth]);
    assert.deepEqual(
      await inAlbum(owner, album, 'sort=create_time&order=asc'),
      ids.toSorted((a, b) => a - b),
    );
    assertRefused(await owner.get(`/api/albums/${album}/photos?sort=place`), 400, 400, ['sort']);
    assertRefused(await owner.get('/api/photos?sort=position'), 400, 400, ['sort']);
  });

  test('making an album private hides all photos below at once, and making it public shows them', async () => {
    const outer = await addAlbum(owner, 'Outer');
    const middle = await addAlbum(owner, 'Middle', { parentId: outer });
    const inner = await addAlbum(owner, 'Inner', { parentId: middle });
    const fields = { title: 'Umbrella', tags: 'rain' };
    const shown = await addPhoto(owner, { ...fields, album_id: String(inner) });
    const other = await addPhoto(owner, { ...fields, album_id: String(outer) });
    const hidden = await addPhoto(owner, { ...fields, album_id: String(inner), is_public: '0' });
    const outside = await addPhoto(owner, fields);
    const everywhere = ['keyword=umbrella', 'keyword=um', 'tag=rain', `user_id=${owner.id}&keyword=rain`];
    const all = [outside, hidden, other, shown].map(({ id }) => id);
    const open = [outside, other, shown].map(({ id }) => id);

    const expect = async (who: Person, ids: number[]) => {
      for (const query of everywhere) {
        assert.deepEqual(await readIds(who, `/api/photos?${query}&order=desc&sort=create_time`), ids, query);
      }
    };
    await expect(anybody, open);
    for (const settled of [false, true]) {
      assertWritten(await owner.put(`/api/albums/${outer}`, { is_public: 0 }));
      if (settled) await waitForSearchIndex(gallery);
      for (const who of [anybody, stranger]) {
        await expect(who, [outside.id]);
        for (const id of [outer, middle, inner])
          assertRefused(await who.get(`/api/albums/${id}`), 403, 30002);
        assertRefused(await who.get(`/api/photos/${shown.id}`), 403, 20004);
        assertRefused(await who.get(`/api/photos?album_id=${inner}`), 403, 30002);
        assert.equal((await who.get(shown.thumb)).status, 403);
        const { list } = assertRead(await who.get(`/api/albums?user_id=${owner.id}&keyword=er`));
        assert.ok(!JSON.stringify(list).includes('Outer'));
      }
      await expect(owner, all);
      await expect(admin, [outside.id]);
      for (const who of [owner, admin]) assert.deepEqual(await inAlbum(who, inner), [shown.id, hidden.id]);
      await assertAlbumsConsistent(gallery);

      assertWritten(await owner.put(`/api/albums/${outer}`, { is_public: 1 }));
      if (settled) await waitForSearchIndex(gallery);
      for (const who of [anybody, admin]) await expect(who, open);
      await expect(owner, all);
      assert.equal((await anybody.get(shown.thumb)).status, 200);
      assert.deepEqual(await inAlbum(anybody, inner), [shown.id]);
    }
  });

  test('counts and visibility hold when everything happens at once', async () => {
    const [one, two] = [await addAlbum(owner, 'One'), await addAlbum(owner, 'Two')];
    const ids = (await photos(8, { tags: 'race' })).map(({ id }) => id);
    assertWritten(await add(owner, one, ids));
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([
        owner.put(`/api/albums/${one}`, { is_public: round % 2 }),
        owner.put(`/api/albums/${two}`, { parent_id: one }),
        admin.put(`/api/albums/${two}`, { is_public: (round + 1) % 2 }),
        add(owner, two, ids.slice(0, 4)),
        add(owner, one, ids.slice(2, 6)),
        remove(owner, one, ids.slice(5)),
        ...ids.map((id, n) => owner.put(`/api/photos/${id}`, { album_id: n % 2 ? two : one, is_public: 1 })),
        ...ids.map((id) => stranger.post(`/api/photos/${id}/like`)),
        ...ids.slice(0, 3).map((id) => owner.delete(`/api/photos/${id}`)),
        addPhoto(owner, { album_id: String(one) }).then(() => undefined),
      ]);
      const [, , byAdmin, ...others] = answers;
      // The album two is private after the second round, and only its owner can widen it in the third.
      assert.equal(byAdmin.body.code, round === 2 ? 30002 : 0);
      for (const answer of [answers[0], answers[1], ...others]) {
        if (answer) assert.ok([0, 20003, 20004].includes(answer.body.code), answer.bytes.toString());
      }
      await Promise.all(ids.slice(0, 3).map((id) => owner.post(`/api/photos/${id}/restore`)));
      await assertAlbumsConsistent(gallery);
    }
    const answers = await Promise.all([
      owner.delete(`/api/albums/${one}`),
      add(owner, one, ids),
      owner.put(`/api/albums/${one}`, { is_public: 0 }),
      owner.upload(Buffer.from('x'), { album_id: String(one) }),
    ]);
    assertDone(answers[0]);
    for (const { body } of answers.slice(1)) assert.ok([0, 30001, 20001].includes(body.code));
    await waitForSearchIndex(gallery);
    const open = assertRead(await anybody.get('/api/photos?tag=race')).pagination.total;
    assert.equal(assertRead(await anybody.get('/api/photos?keyword=race')).pagination.total, open);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
