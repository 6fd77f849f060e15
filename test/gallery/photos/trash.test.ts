/** Only its owner sees the trash. A photo in the trash is restored unchanged or deleted permanently. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { countHoldings } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  type Person,
  register,
  registerAdmin,
  type UploadedPhoto,
} from '../../support/people.ts';

describe('the trash', () => {
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
  after(() => gallery?.close());

  const readTrash = async (who: Person, query = '') => assertRead(await who.get(`/api/trash?${query}`));
  const idsIn = (page: { list: { id: number }[] }) => page.list.map(({ id }) => id);
  const found = async (who: Person, query: string) =>
    idsIn(assertRead(await who.get(`/api/photos?${query}`)));

  async function trashed(fields: Record<string, string> = {}): Promise<UploadedPhoto> {
    const photo = await addPhoto(owner, fields);
    assertDone(await owner.delete(`/api/photos/${photo.id}`));
    return photo;
  }

  async function empty(): Promise<void> {
    for (const id of idsIn(await readTrash(owner, 'limit=100')))
      assertDone(await owner.delete(`/api/trash/${id}`));
  }

  test('shows the details of a photo in the trash to its owner alone, and counts no view', async () => {
    const { id } = await trashed({ title: 'Looked at', description: 'Once more' });
    const photo = assertRead(await owner.get(`/api/trash/${id}`));
    assert.deepEqual([photo.id, photo.title, photo.description], [id, 'Looked at', 'Once more']);
    for (const other of [stranger, admin]) assertRefused(await other.get(`/api/trash/${id}`), 404, 20003);
    assertDone(await owner.post(`/api/photos/${id}/restore`));
    assertRefused(await owner.get(`/api/trash/${id}`), 404, 20003);
    assert.equal(assertRead(await stranger.get(`/api/photos/${id}`)).views, 1);
    assertDone(await owner.delete(`/api/photos/${id}`));
    await empty();
  });

  test('lists the trash to its owner page by page, the latest deletion first', async () => {
    const first = await trashed({ title: 'first' });
    gallery.travel(60);
    const second = await trashed({ title: 'second', is_public: '0' });
    const page = await readTrash(owner);
    assert.deepEqual(idsIn(page), [second.id, first.id]);
    assert.equal(page.pagination.total, 2);
    assert.match(page.list[0].delete_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.ok(page.list[0].delete_time > page.list[1].delete_time);
    assert.equal(page.list[1].title, 'first');
    assert.deepEqual(idsIn(await readTrash(owner, 'limit=1&page=2')), [first.id]);
    for (const other of [stranger, admin]) {
      const theirs = await readTrash(other);
      assert.deepEqual([theirs.list, theirs.pagination.total], [[], 0]);
    }
    assertRefused(await asVisitor(gallery).get('/api/trash'), 401, 401);
    assertRefused(await owner.get('/api/trash?page=0'), 400, 400, ['page']);
    await empty();
  });

  test('shows only the small pictures of trashed photos, and only to the owner', async () => {
    const photo = await trashed();
    const { list } = await readTrash(owner);
    const bare = list[0].thumb.split('?')[0];
    assert.notEqual(bare, list[0].thumb);
    assert.equal((await asVisitor(gallery).get(list[0].thumb)).status, 200);
    assert.equal((await owner.get(bare)).status, 200);
    for (const other of [asVisitor(gallery), stranger, admin])
      assert.equal((await other.get(bare)).status, 404);
    assert.equal((await owner.get(photo.path)).status, 404);
    assertDone(await owner.delete(`/api/trash/${photo.id}`));
    assert.equal((await owner.get(bare)).status, 404);
    assert.equal((await asVisitor(gallery).get(list[0].thumb)).status, 404);
  });

  test('restores a photo from the trash with all its data', async () => {
    const album = await addAlbum(owner, 'Alps');
    const photo = await addPhoto(owner, {
      title: 'Edelweiss',
      description: 'white',
      tags: 'flower, Alps',
      album_id: String(album),
    });
    await stranger.post(`/api/photos/${photo.id}/like`);
    await stranger.post(`/api/photos/${photo.id}/favorite`);
    const before = assertRead(await stranger.get(`/api/photos/${photo.id}`));
    assertDone(await owner.delete(`/api/photos/${photo.id}`));
    for (const query of ['', 'keyword=edelweiss', 'tag=flower', `album_id=${album}`]) {
      assert.deepEqual(await found(stranger, query), [], query);
    }
    assertDone(await owner.post(`/api/photos/${photo.id}/restore`));
    const after = assertRead(await stranger.get(`/api/photos/${photo.id}`));
    assert.deepEqual({ ...after, views: 0 }, { ...before, views: 0 });
    assert.deepEqual([after.is_liked, after.likes, after.album.id], [true, 1, album]);
    for (const query of ['', 'keyword=edelweiss', 'tag=flower', `album_id=${album}`]) {
      assert.deepEqual(await found(stranger, query), [photo.id], query);
    }
    assert.equal((await asVisitor(gallery).get(photo.thumb)).status, 200);
    assert.equal((await readTrash(owner)).pagination.total, 0);
    await owner.delete(`/api/photos/${photo.id}`);
    await empty();
  });

  test('restores a private photo as private', async () => {
    const photo = await trashed({ title: 'diary', is_public: '0' });
    assertDone(await owner.post(`/api/photos/${photo.id}/restore`));
    assertRefused(await stranger.get(`/api/photos/${photo.id}`), 403, 20004);
    assert.deepEqual(await found(stranger, 'keyword=diary'), []);
    assert.deepEqual(await found(owner, 'keyword=diary'), [photo.id]);
    await owner.delete(`/api/photos/${photo.id}`);
    await empty();
  });

  test('gives a photo for members back to members', async () => {
    const photo = await trashed({ title: 'minutes', visibility: 'members' });
    assertRefused(await stranger.get(`/api/photos/${photo.id}`), 404, 20003);
    assertDone(await owner.post(`/api/photos/${photo.id}/restore`));
    assert.deepEqual(await found(stranger, 'keyword=minutes'), [photo.id]);
    assert.deepEqual(await found(asVisitor(gallery), 'keyword=minutes'), []);
    assertRefused(await asVisitor(gallery).get(`/api/photos/${photo.id}`), 403, 20004);
    await owner.delete(`/api/photos/${photo.id}`);
    await empty();
  });

  test('obeys what became of the album meanwhile', async () => {
    const album = await addAlbum(owner, 'Closing');
    const photo = await trashed({ title: 'closing', album_id: String(album) });
    assertWritten(await owner.put(`/api/albums/${album}`, { is_public: 0 }));
    assertDone(await owner.post(`/api/photos/${photo.id}/restore`));
    assert.deepEqual(await found(stranger, 'keyword=closing'), []);
    assertRefused(await stranger.get(`/api/photos/${photo.id}`), 403, 20004);
    await owner.delete(`/api/photos/${photo.id}`);
    assertDone(await owner.delete(`/api/albums/${album}`));
    assertDone(await owner.post(`/api/photos/${photo.id}/restore`));
    // The photo left the private album when the album was deleted, and is private itself since then.
    assertRefused(await stranger.get(`/api/photos/${photo.id}`), 403, 20004);
    const { album: none, visibility } = assertRead(await owner.get(`/api/photos/${photo.id}`));
    assert.deepEqual([none, visibility], [null, 'private']);
    assertDone(await owner.put(`/api/photos/${photo.id}`, { visibility: 'public' }));
    assert.deepEqual(await found(stranger, 'keyword=closing'), [photo.id]);
    await owner.delete(`/api/photos/${photo.id}`);
    await empty();
  });

  test('hides the trash of a user from others', async () => {
    const live = await addPhoto(owner);
    const { id } = await trashed();
    for (const path of [`/api/photos/${id}/restore`, `/api/photos/999999/restore`]) {
      assertRefused(await stranger.post(path), 404, 20003);
      assertRefused(await asVisitor(gallery).post(path), 401, 401);
    }
    assertRefused(await stranger.delete(`/api/trash/${id}`), 404, 20003);
    assertRefused(await asVisitor(gallery).delete(`/api/trash/${id}`), 401, 401);
    assertRefused(await owner.delete('/api/trash/x'), 400, 400, ['id']);
    assertRefused(await owner.post('/api/photos/x/restore'), 400, 400, ['id']);
    assertRefused(await stranger.delete(`/api/trash/${live.id}`), 403, 20004);
    assertRefused(await stranger.post(`/api/photos/${live.id}/restore`), 403, 20004);
    // A photo outside the trash cannot be deleted permanently or restored, by any user.
    for (const who of [owner, admin]) {
      assertRefused(await who.delete(`/api/trash/${live.id}`), 404, 20003);
      assertRefused(await who.post(`/api/photos/${live.id}/restore`), 404, 20003);
    }
    assertRead(await asVisitor(gallery).get(`/api/photos/${live.id}`));
    assertDone(await admin.post(`/api/photos/${id}/restore`));
    assertRead(await asVisitor(gallery).get(`/api/photos/${id}`));
    for (const photo of [live.id, id]) await owner.delete(`/api/photos/${photo}`);
    assertDone(await admin.delete(`/api/trash/${id}`));
    await empty();
  });

  test('deleting a photo permanently removes its rows and objects and refunds the quota', async () => {
    const place = gallery.deps;
    const used = async () =>
      (
        await gallery.deps.db.kysely
          .selectFrom('users')
          .select('used_bytes')
          .where('id', '=', owner.id)
          .executeTakeFirstOrThrow()
      ).used_bytes;
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    const [before, usedBefore] = [await countHoldings(place), await used()];
    const { id } = await trashed({ tags: 'ended' });
    assert.ok((await used()) > usedBefore);
    assertDone(await owner.delete(`/api/trash/${id}`));
    assert.equal(await used(), usedBefore);
    assertRefused(await owner.delete(`/api/trash/${id}`), 404, 20003);
    assertRefused(await owner.post(`/api/photos/${id}/restore`), 404, 20003);
    assert.equal((await readTrash(owner)).pagination.total, 0);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.deepEqual(await countHoldings(place), before);
  });

  test('a photo that is restored and purged simultaneously is either restored or purged', async () => {
    for (let round = 0; round < 6; round++) {
      const { id } = await trashed({ title: 'raced', tags: 'raced' });
      const answers = await Promise.all([
        owner.post(`/api/photos/${id}/restore`),
        owner.delete(`/api/trash/${id}`),
        owner.post(`/api/photos/${id}/restore`),
        stranger.post(`/api/photos/${id}/like`),
      ]);
      const [restored, ended, again] = answers.map(({ body }) => body.code);
      assert.equal([restored, ended, again].filter((code) => code === 0).length, 1);
      const isThere = ended !== 0;
      assert.deepEqual(await found(owner, 'tag=raced'), isThere ? [id] : []);
      assert.equal(assertRead(await asVisitor(gallery).get('/api/photos')).pagination.total, isThere ? 1 : 0);
      assert.equal((await readTrash(owner)).pagination.total, 0);
      if (isThere) {
        await owner.delete(`/api/photos/${id}`);
        assertDone(await owner.delete(`/api/trash/${id}`));
      }
    }
  });

  test('a restored photo survives the day of its planned deletion', async () => {
    const [kept, gone] = [await trashed({ title: 'kept' }), await trashed({ title: 'gone' })];
    assertDone(await owner.post(`/api/photos/${kept.id}/restore`));
    gallery.travel(31 * 86_400);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    const again = await gallery.deps.db.kysely.selectFrom('photos').select('id').orderBy('id').execute();
    assert.deepEqual(
      again.map(({ id }) => id),
      [kept.id],
    );
    assert.ok(gone.id > 0);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
