/** Tests the bounds of an admin's rights over other people's photos, albums and links. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { updateAccountVisibilityBatch } from '../../../server/gallery/library/follow.ts';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

suite('an admin', () => {
  let gallery: Gallery;
  let owner: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    owner = await register(gallery, 'owner');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const share = async (album: number) => {
    const link = { type: 'link', password: 'blue heron', max_views: 3 };
    return assertWritten(await owner.post(`/api/albums/${album}/share`, link));
  };

  test('puts no photo that is not public into an album with a link', async () => {
    const album = await addAlbum(owner, 'Shared', { visibility: 'private' });
    const hidden = (await addPhoto(owner, { visibility: 'private' })).id;
    const open = (await addPhoto(owner)).id;
    await share(album);
    for (const body of [{ ids: [hidden] }, { ids: [hidden], move: true }]) {
      const { failed } = assertWritten(await admin.post(`/api/albums/${album}/photos`, body));
      assert.equal(failed[0]?.code, 20004);
    }
    assertRefused(await admin.put(`/api/photos/${hidden}`, { album_id: album }), 403, 20004);
    const batch = { action: 'move', album_id: album, ids: [hidden] };
    assert.equal(assertWritten(await admin.post('/api/photos/batch', batch)).failed.length, 1);
    assertWritten(await admin.post(`/api/albums/${album}/photos`, { ids: [open] }));
    assertWritten(await owner.post(`/api/albums/${album}/photos`, { ids: [hidden] }));
    const again = assertWritten(await admin.post(`/api/albums/${album}/photos`, { ids: [hidden] }));
    assert.deepEqual(again.success, [hidden], 'what the album contains stays as it is');
  });

  test('revokes the link of somebody else, and changes none of its settings', async () => {
    const { id } = await share(await addAlbum(owner, 'Kept', { visibility: 'private' }));
    assertRefused(await admin.put(`/api/shares/${id}`, { password: null }), 403, 403);
    assertDone(await admin.delete(`/api/shares/${id}`));
  });

  test('leaves a trace of every way of looking at a private photo', async () => {
    const ways: ((photo: number, album: number) => Promise<unknown>)[] = [
      (photo) => admin.get(`/api/photos/${photo}`),
      (photo) => admin.get(`/api/photos/${photo}/download`),
      (photo) => admin.get(`/api/photos/${photo}/comments`),
      (photo) => admin.get(`/api/photos/${photo}/edits`),
      (_, album) => admin.get(`/api/albums/${album}/photos`),
      (_, album) => admin.get(`/api/albums/${album}/download`),
    ];
    for (const [at, look] of ways.entries()) {
      const person = await register(gallery, `person${at}`);
      const album = await addAlbum(person, 'Diary', { visibility: 'private' });
      await look((await addPhoto(person, { album_id: String(album) })).id, album);
    }
    await gallery.deps.db.counters.flush();
    await eventually(async () => {
      const rows = await gallery.deps.db.kysely
        .selectFrom('audit_log')
        .select('id')
        .where('action', '=', 'private.view')
        .execute();
      assert.equal(rows.length, ways.length);
    });
  });

  test('deletes an album of an account that is being disabled, and the totals stay right', async () => {
    const person = await register(gallery, 'leaving');
    const album = await addAlbum(person, 'Open');
    for (let n = 0; n < 3; n++) await addPhoto(person, { album_id: String(album) });
    assertWritten(await admin.put(`/api/admin/users/${person.id}`, { status: 0 }));
    // The first batch hides the albums of the account, and later ones its photos.
    await updateAccountVisibilityBatch(gallery.deps, { id: person.id, user_id: person.id });
    assertDone(await admin.delete(`/api/albums/${album}`));
    await runVisibilityJobs(gallery.deps);
    await assertTotalsMatchRows(gallery);
    const { list, pagination } = assertRead(await asVisitor(gallery).get('/api/photos?limit=100'));
    assert.equal(pagination.total, list.length);
  });

  for (const order of ['before', 'after']) {
    test(`publishes nothing by deleting an album that was narrowed ${order} its account was enabled again`, async () => {
      const person = await register(gallery, `returned-${order}`);
      const album = await addAlbum(person, 'Open');
      const { id } = await addPhoto(person, { album_id: String(album), tags: `tag-${order}` });
      const setStatus = async (status: number) =>
        assertWritten(await admin.put(`/api/admin/users/${person.id}`, { status }));
      const narrow = async () =>
        assertWritten(await admin.put(`/api/albums/${album}`, { visibility: 'private' }));
      await setStatus(0);
      // The first batch hides the albums. The account is enabled before a batch hides the photos.
      await updateAccountVisibilityBatch(gallery.deps, { id: person.id, user_id: person.id });
      if (order === 'before') await narrow();
      await setStatus(1);
      if (order === 'after') await narrow();
      if (order === 'before') await runVisibilityJobs(gallery.deps);
      const assertHidden = async () =>
        assertRefused(await asVisitor(gallery).get(`/api/photos/${id}`), 403, 20004);
      await assertHidden();
      assertDone(await admin.delete(`/api/albums/${album}`));
      await assertHidden();
      await runVisibilityJobs(gallery.deps);
      await assertHidden();
      const { list } = assertRead(await asVisitor(gallery).get('/api/tags'));
      assert.ok(!list.some(({ name }: { name: string }) => name === `tag-${order}`));
      await assertTotalsMatchRows(gallery);
    });
  }

  test('a cover shows no photo of an inner album that the viewer cannot see', async () => {
    const outer = await addAlbum(owner, 'Outer');
    const inner = await addAlbum(owner, 'Inner', { visibility: 'private', parentId: outer });
    const elsewhere = await addAlbum(owner, 'Elsewhere');
    const { id } = await addPhoto(owner, { album_id: String(elsewhere) });
    assertWritten(await owner.post(`/api/albums/${inner}/photos`, { ids: [id] }));
    const readCover = async (who: Person) => assertRead(await who.get(`/api/albums/${outer}`)).cover;
    for (const cover_id of [undefined, id]) {
      if (cover_id) assertWritten(await owner.put(`/api/albums/${outer}`, { cover_id }));
      assert.equal(await readCover(asVisitor(gallery)), '');
      assert.notEqual(await readCover(owner), '');
    }
    assertWritten(await owner.put(`/api/albums/${inner}`, { visibility: 'public' }));
    assert.notEqual(await readCover(asVisitor(gallery)), '');
  });
});
