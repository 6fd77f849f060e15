/**
 * Tests the deletion of an account: it disappears for everyone at once, no trace remains in the end, and
 * every stored count is right.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deleteUser, eraseDeletedUsers } from '../../../server/gallery/admin/erase/erase.ts';
import { eraseNextAccountBatch } from '../../../server/gallery/admin/erase/steps.ts';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { commandLineActor } from '../../../server/gallery/moderation/audit.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { eventually, listReferencedObjects, listStoredObjects } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addComment, addReport } from '../../support/moderation.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { addMissingAlbumRows, addMissingCounters, setPhoto } from '../../support/photo-counters.ts';
import { createJpeg } from '../../support/pictures.ts';
import { waitForErasure } from '../../support/wait-for-erasure.ts';

const timeoutMs = 240_000;

describe('deleting an account', () => {
  let gallery: Gallery;
  let admin: Person;
  let ann: Person;
  let bob: Person;
  let picture: Buffer;

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
    picture = await createJpeg({ width: 32, height: 24 });
  });
  after(() => gallery.close());

  /** Creates a user who is connected to the other users in every possible way. */
  async function liveThrough(name: string): Promise<{ vera: Person; photos: number[]; thumb: string }> {
    const vera = await register(gallery, name);
    const shown = await addPhoto(vera, { title: 'Shown', tags: 'hers, both' }, picture);
    const hidden = await addPhoto(vera, { title: 'Hidden', is_public: '0', tags: 'hers' }, picture);
    const trashed = await addPhoto(vera, { title: 'Trashed' }, picture);
    const outer = await addAlbum(vera, 'Outer');
    const inner = await addAlbum(vera, 'Inner', { isPublic: false, parentId: outer });
    assertWritten(await vera.post(`/api/albums/${outer}/photos`, { ids: [shown.id, trashed.id] }));
    assertWritten(await vera.post(`/api/albums/${inner}/photos`, { ids: [hidden.id] }));
    assertWritten(await vera.put(`/api/albums/${outer}`, { cover_id: shown.id }));
    assertDone(await vera.delete(`/api/photos/${trashed.id}`));
    assertWritten(await vera.post(`/api/photos/${shown.id}/share`, { type: 'link' }));
    assertWritten(await vera.post('/api/auth/tokens', { name: 'key' }));
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(picture)]), 'face.jpg');
    assertWritten(await vera.send('POST', '/api/auth/avatar', { body: form }));

    const others = await addPhoto(ann, { title: 'Of Ann', tags: 'both' }, picture);
    const closed = await addPhoto(ann, { title: 'Closed later' }, picture);
    const binned = await addPhoto(ann, { title: 'Binned later' }, picture);
    for (const who of [bob, vera]) {
      for (const photo of [others, closed, binned, shown]) {
        assertWritten(await who.post(`/api/photos/${photo.id}/like`));
        assertWritten(await who.post(`/api/photos/${photo.id}/favorite`));
      }
    }
    for (const photo of [others, closed, binned]) {
      const thread = await addComment(vera, photo.id, 'From her');
      await addComment(bob, photo.id, 'To her', thread);
      const answered = await addComment(bob, photo.id, 'From him');
      await addComment(vera, photo.id, 'To him', answered);
      await addComment(ann, photo.id, 'To him as well', answered);
      assertWritten(await vera.post(`/api/comments/${answered}/like`));
      assertWritten(await ann.post(`/api/comments/${answered}/like`));
      await addReport(ann, 'comment', thread);
    }
    await addComment(bob, shown.id, 'On hers');
    for (const [who, whom] of [
      [vera, ann],
      [bob, vera],
      [bob, ann],
    ] as const) {
      const { is_following } = assertWritten(await who.post(`/api/users/${whom.id}/follow`));
      if (!is_following) assertWritten(await who.post(`/api/users/${whom.id}/follow`));
    }
    await addReport(ann, 'user', vera.id);
    await addReport(ann, 'photo', shown.id);
    await addReport(vera, 'photo', others.id);
    assertDone(await ann.put(`/api/photos/${closed.id}`, { is_public: 0 }));
    assertDone(await ann.delete(`/api/photos/${binned.id}`));
    await assertTotalsMatchRows(gallery);
    return { vera, photos: [shown.id, hidden.id, trashed.id], thumb: shown.thumb };
  }

  async function assertNoTrace(id: number): Promise<void> {
    const { kysely } = gallery.deps.db;
    const users = await kysely.selectFrom('users').select('id').where('id', '=', id).execute();
    assert.deepEqual(users, [], 'the account is still there');
    const tables = ['sessions', 'api_keys', 'albums', 'photos', 'photo_tags', 'likes', 'favorites', 'shares'];
    const more = ['photo_totals', 'tag_totals', 'comments', 'comment_likes', 'reports'];
    for (const table of [...tables, ...more, 'notifications'] as 'photos'[]) {
      const rows = await kysely.selectFrom(table).select('user_id').where('user_id', '=', id).execute();
      assert.deepEqual(rows, [], table);
    }
    const lines = await kysely.selectFrom('notifications').selectAll().where('actor_id', '=', id).execute();
    assert.deepEqual(lines, []);
    const follows = await kysely.selectFrom('follows').selectAll().execute();
    assert.ok(follows.every(({ follower_id, followee_id }) => follower_id !== id && followee_id !== id));
  }

  /** Waits until the background job has deleted every trace of the account. */
  async function goes(id: number): Promise<void> {
    await waitForErasure(gallery, id, { look: () => assertNoTrace(id), withinMs: timeoutMs });
  }

  test('is gone from every list at once, and in the end without a trace', async () => {
    const { vera, photos, thumb } = await liveThrough('vera');
    assertDone(await admin.delete(`/api/admin/users/${vera.id}`));

    assertRefused(await vera.get('/api/auth/user'), 401, 10006);
    assertRefused(
      await asVisitor(gallery).post('/api/auth/login', { username: 'vera', password }),
      401,
      10003,
    );
    for (const who of [asVisitor(gallery), ann, admin]) {
      assert.deepEqual(assertRead(await who.get('/api/users?keyword=vera')).list, []);
      for (const name of [vera.id, 'vera']) {
        assertRefused(await who.get(`/api/users/${name}`), 404, 50001);
      }
      const { list } = assertRead(await who.get(`/api/users/${ann.id}/followers`));
      assert.deepEqual(
        list.map(({ id }: { id: number }) => id),
        [bob.id],
      );
    }
    assert.deepEqual(assertRead(await admin.get('/api/admin/users?keyword=vera')).list, []);
    assertRefused(await admin.put(`/api/admin/users/${vera.id}`, { status: 1 }), 404, 50001);
    assertRefused(await admin.delete(`/api/admin/users/${vera.id}`), 404, 50001);
    // Registers the same name again, because the name of a deleted account is free.
    const second = await register(gallery, 'vera');
    assert.notEqual(second.id, vera.id);

    await goes(vera.id);
    await assertTotalsMatchRows(gallery);
    for (const id of photos) assertRefused(await admin.get(`/api/photos/${id}`), 404, 20003);
    assert.equal((await asVisitor(gallery).get(thumb)).status, 404);
    gallery.travel(3600 + 1);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
    const reports = await gallery.deps.db.kysely.selectFrom('reports').selectAll().execute();
    assert.ok(reports.length >= 5);
    for (const { status, action } of reports) assert.deepEqual([status, action], ['handled', 'delete']);
    const [entry] = assertRead(await admin.get('/api/admin/logs?action=user.delete')).list;
    assert.deepEqual(entry.target, { type: 'user', id: vera.id, name: 'vera' });
    assert.equal(entry.details.photos, 3);
  });

  test('leaves all counts exact at every step, and the maintenance run continues after a crash', async () => {
    const { vera } = await liveThrough('wanda');
    // Replaces `signal`, which would wake the deletion job of this process, as if another process had deleted
    // the account.
    const elsewhere = { ...gallery.deps, db: { ...gallery.deps.db, signal: () => {} } };
    await deleteUser(elsewhere, commandLineActor, vera.id);
    await assertTotalsMatchRows(gallery);
    let steps = 0;
    for (; steps < 9; steps++) {
      assert.equal(await eraseNextAccountBatch(gallery.deps, vera.id), 'some');
      await assertTotalsMatchRows(gallery);
    }
    const swept = await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.equal(swept.accounts, 1);
    await assertNoTrace(vera.id);
    await assertTotalsMatchRows(gallery);
    assert.deepEqual(await eraseDeletedUsers(gallery.deps), { gone: 0, left: 0 });
  });

  async function addCrowd(photoId: number): Promise<void> {
    const { kysely } = gallery.deps.db;
    const count = 1200;
    const comment = { photo_id: photoId, parent_id: null, user_id: ann.id, likes: 0, reply_count: 0 };
    for (let at = 0; at < count; at += 400) {
      const rows = Array.from({ length: 400 }, (_, n) => ({
        ...comment,
        create_time: 1_700_000_000,
        content: `n${at + n}`,
      }));
      await kysely.insertInto('comments').values(rows).execute();
    }
    const counts = { comments: count, comment_threads: count };
    await setPhoto(kysely, photoId, counts);
  }

  test('more photos than one transaction takes are hidden and deleted all the same', async () => {
    const vera = await register(gallery, 'xenia');
    const album = await addAlbum(vera, 'Many');
    const one = await addPhoto(vera, {}, picture);
    const { kysely } = gallery.deps.db;
    const row = await kysely
      .selectFrom('photos')
      .selectAll()
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow();
    const { id: _, ...columns } = row;
    const many = 1100;
    for (let at = 0; at < many; at += 100) {
      const rows = Array.from({ length: 100 }, () => ({
        ...columns,
        album_id: album,
      }));
      await asLibraryWriter(kysely).insertInto('photos').values(rows).execute();
    }
    await addMissingCounters(kysely);
    await addMissingAlbumRows(kysely);
    await asLibraryWriter(kysely)
      .updateTable('photo_totals')
      .set((is) => ({ n: is('n', '+', many) }))
      .where('user_id', 'in', [0, vera.id])
      .where('visibility', '=', 2)
      .execute();
    // Gives the first and the last photo more comments than one step deletes together with a photo.
    const last = await addPhoto(vera, {}, picture);
    for (const { id } of [one, last]) await addCrowd(id);
    await assertTotalsMatchRows(gallery);
    const before = assertRead(await ann.get('/api/photos')).pagination.total;
    assertDone(await admin.delete(`/api/admin/users/${vera.id}`));
    const totals = async () => {
      assert.equal(assertRead(await ann.get('/api/photos')).pagination.total, before - many - 2);
    };
    await eventually(totals, timeoutMs);
    await goes(vera.id);
    await assertTotalsMatchRows(gallery);
  });

  test('does not fail or miscount what others and the account itself do meanwhile', async () => {
    const { vera, photos } = await liveThrough('yvonne');
    const { id: target } = await addPhoto(ann, {}, picture);
    const requests = [
      admin.delete(`/api/admin/users/${vera.id}`),
      ...Array.from({ length: 6 }, () => [
        vera.upload(picture),
        vera.post(`/api/photos/${target}/comments`, { content: 'Still here' }),
        vera.post(`/api/photos/${target}/like`),
        vera.post(`/api/users/${bob.id}/follow`),
        bob.post(`/api/photos/${photos[0]}/like`),
        bob.post(`/api/photos/${photos[0]}/comments`, { content: 'And now' }),
        ann.post(`/api/users/${vera.id}/follow`),
      ]).flat(),
    ];
    const [deleted, ...others] = await Promise.all(requests);
    assertDone(deleted!);
    for (const { status, body } of others) assert.notEqual(status, 500, JSON.stringify(body));
    await goes(vera.id);
    await assertTotalsMatchRows(gallery);
  });

  test('refuses to delete the last admin, and allows one’s own account while another admin remains', async () => {
    assertRefused(await admin.delete(`/api/admin/users/${admin.id}`), 409, 60002);
    assert.equal((await admin.get('/api/auth/user')).status, 200);
    const second = await registerAdmin(gallery, 'second');
    assertDone(await second.delete(`/api/admin/users/${second.id}`));
    assertRefused(await second.get('/api/auth/user'), 401, 10006);
    assertRefused(await admin.delete('/api/admin/users/999999'), 404, 50001);
    assertRefused(await ann.delete(`/api/admin/users/${bob.id}`), 403, 403);
  });

  test('the server logged no error during these tests', () => {
    const bad = gallery.complaints().filter((line) => JSON.parse(line).level >= 50);
    assert.deepEqual(bad, []);
  });
});
