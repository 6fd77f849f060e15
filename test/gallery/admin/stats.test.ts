/** Tests statistics for admins, compared with known actions, and the audit log, which nothing can change. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { changeUser } from '../../../server/gallery/admin/users/change.ts';
import { commandLineActor } from '../../../server/gallery/moderation/audit.ts';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  disableAccount,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';

const day = 86_400;

describe('figures and the audit log', () => {
  let gallery: Gallery;
  let admin: Person;
  let ann: Person;
  let bob: Person;

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
  });
  after(() => gallery.close());

  const stats = async (query = '') => assertRead(await admin.get(`/api/admin/stats?${query}`));
  const dateAfter = (days: number) =>
    new Date((gallery.deps.clock() + days * day) * 1000).toISOString().slice(0, 10);

  test('an empty gallery has thirty days of nothing but sign-ups', async () => {
    const { totals, daily } = await stats();
    assert.deepEqual(totals, {
      users: 3,
      disabled_users: 0,
      photos: 0,
      trashed_photos: 0,
      albums: 0,
      comments: 0,
      bytes: 0,
      open_reports: 0,
    });
    assert.equal(daily.length, 30);
    assert.deepEqual(daily.at(-1), {
      date: dateAfter(0),
      users: 3,
      photos: 0,
      bytes: 0,
      comments: 0,
      likes: 0,
    });
    assert.equal(daily[0].date, dateAfter(-29));
    const figures = daily.slice(0, -1).map(({ date, ...rest }: { date: string }) => Object.values(rest));
    assert.ok(figures.flat().every((n: number) => n === 0));
  });

  test('totals and days follow what happens, and forget what is deleted for good', async () => {
    const first = await addPhoto(ann);
    gallery.travel(day);
    const hidden = await addPhoto(ann, { is_public: '0' });
    const trashed = await addPhoto(bob);
    await addAlbum(ann, 'Album');
    for (const photo of [first, trashed]) {
      assertWritten(await bob.post(`/api/photos/${photo.id}/comments`, { content: 'Seen' }));
      assertWritten(await ann.post(`/api/photos/${photo.id}/like`));
    }
    assertDone(await bob.delete(`/api/photos/${trashed.id}`));
    assertWritten(
      await bob.post('/api/reports', { target_type: 'photo', target_id: first.id, reason: 'spam' }),
    );
    await disableAccount(gallery, await register(gallery, 'cyd'));

    const now = await stats('days=2');
    assert.deepEqual(now.totals, {
      users: 4,
      disabled_users: 1,
      photos: 2,
      trashed_photos: 1,
      albums: 1,
      comments: 1,
      bytes: chargedBytes([first, hidden, trashed]),
      open_reports: 1,
    });
    assert.deepEqual(now.daily, [
      { date: dateAfter(-1), users: 3, photos: 1, bytes: first.size, comments: 0, likes: 0 },
      {
        date: dateAfter(0),
        users: 1,
        photos: 2,
        bytes: hidden.size + trashed.size,
        comments: 2,
        likes: 2,
      },
    ]);
    assertDone(await bob.delete(`/api/trash/${trashed.id}`));
    assertWritten(await ann.post(`/api/photos/${first.id}/like`));
    const { totals, daily } = await stats('days=1');
    assert.deepEqual(daily, [
      { date: dateAfter(0), users: 1, photos: 1, bytes: hidden.size, comments: 1, likes: 0 },
    ]);
    assert.deepEqual([totals.trashed_photos, totals.bytes], [0, chargedBytes([first, hidden])]);
  });

  test('takes 1 to 365 days', async () => {
    assert.equal((await stats('days=365')).daily.length, 365);
    for (const days of ['0', '366', '-1', '1.5', 'x', '1e2']) {
      assertRefused(await admin.get(`/api/admin/stats?days=${days}`), 400, 400, ['days']);
    }
    assertRefused(await ann.get('/api/admin/stats'), 403, 403);
  });

  test('the log is filtered by actor, action and day, the latest first, in pages', async () => {
    assertWritten(await admin.put(`/api/admin/users/${bob.id}`, { quota_mb: 3 }));
    await changeUser(gallery.deps, commandLineActor, bob.id, { quota_mb: 4 });
    gallery.travel(day);
    assertWritten(await admin.put(`/api/admin/users/${bob.id}`, { quota_mb: null }));
    const quotas = async (query = '') => {
      const { list, pagination } = assertRead(await admin.get(`/api/admin/logs?${query}`));
      assert.equal(pagination.total >= list.length, true);
      return list.map(({ details }: { details: { quota_mb: number } }) => details.quota_mb);
    };
    assert.deepEqual(await quotas('action=user.update'), [null, 4, 3]);
    assert.deepEqual(await quotas('action=user.update&limit=1&page=2'), [4]);
    assert.deepEqual(await quotas('action=user.update&actor=ADMIN'), [null, 3]);
    assert.deepEqual(await quotas('actor=command%20line'), [4]);
    assert.deepEqual(await quotas('actor=nobody'), []);
    assert.deepEqual(await quotas('action=user.delete'), []);
    assert.deepEqual(await quotas(`action=user.update&date_from=${dateAfter(0)}`), [null]);
    assert.deepEqual(await quotas(`action=user.update&date_to=${dateAfter(-1)}`), [4, 3]);
    assert.deepEqual(await quotas(`actor=admin&date_to=${dateAfter(-1)}&action=user.update`), [3]);
    assertRefused(await admin.get('/api/admin/logs?action=eat&date_from=2026-02-30'), 400, 400, [
      'action',
      'date_from',
    ]);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      assertRefused(await admin.send(method, '/api/admin/logs'), 405, 405);
    }
  });

  test('the database itself refuses to change the log', async () => {
    const { kysely } = gallery.deps.db;
    const acts = kysely.selectFrom('audit_log').selectAll().where('attempt_key', 'is', null);
    const rows = () => acts.orderBy('id').execute();
    const before = await rows();
    assert.ok(before.length > 0);
    const refused = /audit_log is only ever added to/;
    await assert.rejects(kysely.updateTable('audit_log').set({ actor: 'eve' }).execute(), refused);
    await assert.rejects(kysely.deleteFrom('audit_log').execute(), refused);
    const last = before.at(-1)!;
    await assert.rejects(
      gallery.deps.db.name === 'sqlite'
        ? sql`INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log WHERE id = ${last.id}`.execute(kysely)
        : sql`TRUNCATE audit_log`.execute(kysely),
      refused,
    );
    assert.deepEqual(await rows(), before);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
