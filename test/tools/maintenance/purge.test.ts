/**
 * Tests that maintenance deletes data that would fill the database forever: old notifications, links that
 * expired long ago, and very long discussions.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { purgePhoto } from '../../../server/gallery/photos/trash/purge.ts';
import { checkCounters } from '../../../server/tools/check/counters.ts';
import { checkTotals } from '../../../server/tools/check/totals.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, logIn, type Person, register, registerAdmin } from '../../support/people.ts';
import { setPhoto } from '../../support/photo-counters.ts';
import { runChecks } from '../../support/run-checks.ts';

const day = 86_400;

describe('old rows', () => {
  let gallery: Gallery;
  let owner: Person;
  let fan: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    fan = await register(gallery, 'fan');
  });
  after(() => gallery.close());

  /** Moves the clock ahead, runs maintenance, and logs everyone in again. */
  async function later(days: number): Promise<void> {
    gallery.travel(days * day);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    [owner, fan] = [await logIn(gallery, owner), await logIn(gallery, fan)];
  }

  async function assertExact(): Promise<void> {
    assert.deepEqual(await runChecks(gallery, checkCounters, checkTotals), []);
  }

  test('purges read notifications after 90 days, others after a year, and likes never', async () => {
    const { id } = await addPhoto(owner);
    for (let n = 0; n < 3; n++) await fan.post(`/api/photos/${id}/comments`, { content: `comment ${n}` });
    await fan.post(`/api/photos/${id}/like`);
    await fan.post(`/api/users/${owner.id}/follow`);
    const lines = async () => {
      const { list, pagination, unread } = assertRead(await owner.get('/api/notifications'));
      const types = list.map(({ type, is_read }: { type: string; is_read: boolean }) => [type, is_read]);
      return { types: types.sort(), total: pagination.total, unread };
    };
    const { list } = assertRead(await owner.get('/api/notifications'));
    const read = list.filter(({ type }: { type: string }) => type !== 'follow').slice(0, 3);
    const ids = read.map(({ id }: { id: number }) => id);
    assertDone(await owner.post('/api/notifications/read', { ids }));
    const before = await lines();
    assert.deepEqual([before.total, before.unread], [5, 2]);

    await later(89);
    assert.deepEqual(await lines(), before);
    await later(2);
    const left = before.types.filter(([type, isRead]: [string, boolean]) => !isRead || type === 'like');
    assert.equal(left.length, 3);
    assert.deepEqual(await lines(), { types: left, total: 3, unread: 2 });
    await assertExact();
    await later(270);
    assert.equal((await lines()).total, 3);
    await later(5);
    assert.deepEqual(
      (await lines()).types.map(([type]: [string]) => type),
      ['like'],
    );
    await assertExact();
  });

  test('purges password links a day after they expire, after a jump of the clock of any length', async () => {
    const admin = await registerAdmin(gallery, 'keeper');
    assertWritten(await admin.post(`/api/admin/users/${owner.id}/reset-link`));
    const links = async () =>
      (await gallery.deps.db.kysely.selectFrom('links').select('token_hash').execute()).length;
    assert.equal(await links(), 1);
    gallery.travel(3600 + day - 600);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.equal(await links(), 1);
    gallery.travel(601);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.equal(await links(), 0);
    [owner, fan] = [await logIn(gallery, owner), await logIn(gallery, fan)];
  });

  test('purges share links 90 days after they expire', async () => {
    const { id } = await addPhoto(owner);
    const brief = assertWritten(await owner.post(`/api/photos/${id}/share`, { type: 'link', expires: 1 }));
    const lasting = assertWritten(await owner.post(`/api/photos/${id}/share`, { type: 'link' }));
    const listed = async () => {
      const { list } = assertRead(await owner.get('/api/shares'));
      return list.map(({ id }: { id: number }) => id).sort();
    };
    const both = await listed();
    assert.equal(both.length, 2);
    await later(90);
    assert.deepEqual(await listed(), both);
    await later(2);
    const left = await listed();
    assert.equal(left.length, 1);
    assertRefused(await asVisitor(gallery).get(`/api/shares/${readToken(brief)}`), 404, 20007);
    assertRead(await asVisitor(gallery).get(`/api/shares/${readToken(lasting)}`));
  });

  const readToken = ({ url }: { url: string }) => new URL(url).pathname.split('/').at(-1);

  /**
   * Creates a photo in the trash with 700 comment threads of three replies, and four notifications per
   * thread.
   */
  async function talkedAbout(): Promise<number> {
    const { id } = await addPhoto(owner);
    const { kysely } = gallery.deps.db;
    const row = { photo_id: id, user_id: fan.id, likes: 0, create_time: 1, content: 'talk' };
    const threads = await kysely
      .insertInto('comments')
      .values(Array.from({ length: 700 }, () => ({ ...row, parent_id: null, reply_count: 3 })))
      .returning('id')
      .execute();
    for (let n = 0; n < 3; n++) {
      await kysely
        .insertInto('comments')
        .values(threads.map((thread) => ({ ...row, parent_id: thread.id, reply_count: 0 })))
        .execute();
    }
    await setPhoto(kysely, id, { comments: 2800, comment_threads: 700 });
    const comments = await kysely.selectFrom('comments').select('id').where('photo_id', '=', id).execute();
    const base = { type: 'comment', user_id: owner.id, actor_id: fan.id, photo_id: id } as const;
    const counts = { count: 1, notices: 1, notices_read: 0, is_read: 0, create_time: gallery.deps.clock() };
    for (let at = 0; at < comments.length; at += 700) {
      await kysely
        .insertInto('notifications')
        .values(
          comments.slice(at, at + 700).map((comment) => ({ ...base, ...counts, comment_id: comment.id })),
        )
        .execute();
    }
    assertDone(await owner.delete(`/api/photos/${id}`));
    return id;
  }

  test('purging a photo deletes all of its thousands of comments', async () => {
    const before = assertRead(await owner.get('/api/notifications')).pagination.total;
    const id = await talkedAbout();
    assertDone(await owner.delete(`/api/trash/${id}`));
    assertRefused(await owner.delete(`/api/trash/${id}`), 404, 20003);
    assert.deepEqual(
      await gallery.deps.db.kysely.selectFrom('comments').selectAll().where('photo_id', '=', id).execute(),
      [],
    );
    assert.equal(assertRead(await owner.get('/api/notifications')).pagination.total, before);
    await assertExact();
  });

  test('rows stay deleted after an interrupted purge, and the next maintenance run finishes it', async () => {
    const id = await talkedAbout();
    let asked = 0;
    const purged = purgePhoto(gallery.deps, id, () => {
      if (asked++ === 1) throw new Error('the server ends here');
      return true;
    });
    await assert.rejects(purged, /ends here/);
    await assertExact();
    const { comments } = await gallery.deps.db.kysely
      .selectFrom('photo_counts')
      .select('comments')
      .where('photo_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(comments, 1800);
    assertRefused(await owner.post(`/api/photos/${id}/restore`), 404, 20003);
    for (const who of [owner, asVisitor(gallery)])
      assertRefused(await who.get(`/api/photos/${id}`), 404, 20003);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.deepEqual(
      await gallery.deps.db.kysely.selectFrom('photos').select('id').where('id', '=', id).execute(),
      [],
    );
    await assertExact();
  });

  test('the server logged no error during these tests', () => {
    assert.deepEqual(gallery.complaints(), []);
  });
});
