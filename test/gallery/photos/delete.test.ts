import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { countHoldings, listStoredObjects } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

const day = 86_400;

describe('deleting a photo', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const totalFor = async (who: Person, query = '') =>
    assertRead(await who.get(`/api/photos?${query}`)).pagination.total;

  test('deleting a photo removes the photo everywhere at once, for everyone', async () => {
    const album = await addAlbum(owner, 'Album');
    const { id, path, thumb } = await addPhoto(owner, {
      title: 'ephemeral',
      tags: 'gone',
      album_id: String(album),
    });
    const kept = await addPhoto(owner, { title: 'kept', tags: 'gone' });
    await stranger.post(`/api/photos/${id}/like`);
    await stranger.post(`/api/photos/${id}/favorite`);
    const { url } = assertWritten(await owner.post(`/api/photos/${id}/share`, { type: 'link' }));
    const token = url.split('/').at(-1);
    const { preview } = assertRead(await owner.get(`/api/photos/${id}`));
    await owner.post(`/api/photos/${id}/edit`, { action: 'flip', params: { direction: 'h' } });
    const edited = assertRead(await owner.get(`/api/photos/${id}`));
    const people = [owner, stranger, asVisitor(gallery), admin];
    const before = await Promise.all(people.map((who) => totalFor(who)));

    assertDone(await owner.delete(`/api/photos/${id}`));

    for (const [index, who] of people.entries()) {
      assertRefused(await who.get(`/api/photos/${id}`), 404, 20003);
      assert.equal(await totalFor(who), before[index]! - 1);
      assert.equal(await totalFor(who, 'keyword=ephemeral'), 0);
      assert.equal(await totalFor(who, 'keyword=ph'), 0);
      assert.equal(await totalFor(who, 'tag=gone'), 1);
      assert.equal(await totalFor(who, `album_id=${album}`), 0);
      assert.equal(await totalFor(who, `user_id=${owner.id}`), 1);
      for (const sort of ['create_time', 'likes', 'title', 'views']) {
        const { list } = assertRead(await who.get(`/api/photos?sort=${sort}&limit=100`));
        assert.ok(!list.some((item: { id: number }) => item.id === id), sort);
      }
      for (const image of [path, preview, thumb, edited.path, edited.thumb]) {
        const answer = await who.get(image);
        // The trash shows its owner the thumbnail and the preview, but not the full picture.
        if (who === owner && /\.(thumb|preview)\./.test(image)) {
          assert.equal(answer.status, 200);
          continue;
        }
        assert.deepEqual([answer.status, answer.body.code], [404, 20003]);
      }
    }
    assertRefused(await asVisitor(gallery).get(`/api/shares/${token}`), 404, 20007);
    assert.equal((await asVisitor(gallery).get(`/s/${token}`)).status, 404);
    const stats = async (who: Person) => assertRead(await who.get('/api/auth/user')).stats;
    assert.deepEqual(await stats(owner), { photos: 1, albums: 1, favorites: 0, likes: 0 });
    assert.equal((await stats(stranger)).favorites, 0);
    assert.equal(assertRead(await owner.get(`/api/photos/${kept.id}`)).title, 'kept');
  });

  test('every action on a deleted photo answers 20003', async () => {
    const { id } = await addPhoto(owner, { title: 'acted upon' });
    assertDone(await owner.delete(`/api/photos/${id}`));
    for (const who of [owner, stranger, admin]) {
      assertRefused(await who.delete(`/api/photos/${id}`), 404, 20003);
      assertRefused(await who.put(`/api/photos/${id}`, { title: 'x' }), 404, 20003);
      assertRefused(await who.post(`/api/photos/${id}/like`), 404, 20003);
      assertRefused(await who.post(`/api/photos/${id}/favorite`), 404, 20003);
      assertRefused(await who.get(`/api/photos/${id}/download`), 404, 20003);
      assertRefused(await who.get(`/api/photos/${id}/edits`), 404, 20003);
      assertRefused(await who.post(`/api/photos/${id}/revert`, {}), 404, 20003);
      assertRefused(await who.post(`/api/photos/${id}/share`, { type: 'link' }), 404, 20003);
      const flip = { action: 'flip', params: { direction: 'h' } };
      assertRefused(await who.post(`/api/photos/${id}/edit`, flip), 404, 20003);
    }
  });

  test('allows only the owner and admins to delete a photo', async () => {
    const { id, thumb } = await addPhoto(owner, { title: 'guarded' });
    const hidden = await addPhoto(owner, { title: 'hidden', is_public: '0' });
    assertRefused(await stranger.delete(`/api/photos/${id}`), 403, 20004);
    assertRefused(await stranger.delete(`/api/photos/${hidden.id}`), 403, 20004);
    assertRefused(await asVisitor(gallery).delete(`/api/photos/${id}`), 401, 401);
    assertRefused(await owner.delete('/api/photos/999999'), 404, 20003);
    assert.equal((await asVisitor(gallery).get(thumb)).status, 200);
    assertRead(await owner.get(`/api/photos/${id}`));
    assertDone(await admin.delete(`/api/photos/${id}`));
    assertRefused(await owner.get(`/api/photos/${id}`), 404, 20003);
  });

  test('one of several simultaneous deletions succeeds, and counts stay correct', async () => {
    const { id } = await addPhoto(owner, { title: 'contested' });
    const before = await totalFor(asVisitor(gallery));
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.delete(`/api/photos/${id}`)));
    const codes = answers.map(({ body }) => body.code).sort((one, other) => one - other);
    assert.deepEqual(codes, [0, ...Array.from({ length: 9 }, () => 20003)]);
    assert.equal(await totalFor(asVisitor(gallery)), before - 1);
  });

  test('deleting a photo while others like, edit, read and download the photo causes no server error', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, thumb } = await addPhoto(owner, { title: 'busy' });
      const answers = await Promise.all([
        stranger.post(`/api/photos/${id}/like`),
        owner.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } }),
        owner.get(`/api/photos/${id}/download`),
        owner.post(`/api/photos/${id}/share`, { type: 'link' }),
        owner.delete(`/api/photos/${id}`),
        stranger.get(`/api/photos/${id}`),
        owner.put(`/api/photos/${id}`, { title: 'late' }),
        asVisitor(gallery).get(thumb),
        stranger.post(`/api/photos/${id}/favorite`),
      ]);
      for (const { status, body } of answers) {
        assert.ok(status === 200 || (status === 404 && body.code === 20003), `${status} ${body.code}`);
      }
      assert.equal(answers[4]!.status, 200);
      assertRefused(await owner.get(`/api/photos/${id}`), 404, 20003);
      assert.equal(await totalFor(owner, 'keyword=busy'), 0);
      assert.equal(await totalFor(owner, 'keyword=late'), 0);
    }
  });

  test('keeps the objects of a deleted photo for thirty days and then deletes the objects', async () => {
    const { id, path } = await addPhoto(owner, { title: 'buried', tags: 'buried' });
    const key = /[0-9a-f]{32}/.exec(path)![0];
    await owner.delete(`/api/photos/${id}`);
    const objects = async () =>
      (await listStoredObjects(gallery.deps)).filter((name) => name.startsWith(key)).length;
    gallery.travel(29 * day);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.equal(await objects(), 3);
    gallery.travel(2 * day);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.equal(await objects(), 0);
    const { temporary } = await countHoldings(gallery.deps);
    assert.equal(temporary, 0);
    for (const table of ['photo_tags', 'images', 'edits'] as const) {
      const rows = await gallery.deps.db.kysely
        .selectFrom(table)
        .select('photo_id')
        .where('photo_id', '=', id)
        .execute();
      assert.deepEqual(rows, [], table);
    }
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
