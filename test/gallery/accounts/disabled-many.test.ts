/** Disables and enables an account with more photos than one transaction changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { addMissingCounters } from '../../support/photo-counters.ts';
import { addPhoto as addRow } from '../delivery/gallery.ts';

test('hides many photos in short transactions and continues after an interruption', async (context) => {
  const gallery = await startGallery({}, { isIdle: true });
  context.after(() => gallery.close());
  const [owner, admin] = [await register(gallery, 'owner'), await registerAdmin(gallery, 'admin')];
  for (let n = 0; n < 40; n++) await addRow(gallery, owner.id, 2);
  const { kysely } = gallery.deps.db;
  const [one] = await kysely.selectFrom('photos').selectAll().limit(1).execute();
  const { id: _, ...blank } = one!;
  for (let n = 0; n < 12; n++) {
    const levels = n < 4 ? { level: 2 as const, visibility: 3 as const } : {};
    const rows = Array.from({ length: 100 }, () => ({ ...blank, ...levels }));
    await kysely.insertInto('photos').values(rows).execute();
  }
  await addMissingCounters(kysely);
  const [open, forMembers] = [840, 400];
  const count = open + forMembers;
  for (const user_id of [0, owner.id]) {
    for (const [visibility, n] of [
      [2, open],
      [3, forMembers],
    ] as const) {
      await kysely.insertInto('photo_totals').values({ user_id, visibility, n }).execute();
    }
  }
  const shown = async () =>
    Number(
      (
        await kysely
          .selectFrom('photos')
          .select((is) => is.fn.countAll<number>().as('n'))
          .where('visibility', 'in', [2, 3])
          .executeTakeFirstOrThrow()
      ).n,
    );
  for (const [status, from, to] of [
    [0, count, 0],
    [1, 0, count],
  ] as const) {
    await kysely
      .transaction()
      .execute((transaction) => setUserStatus(gallery.deps, transaction, owner.id, status));
    let looks = 0;
    const afterOneChunk = {
      get aborted() {
        return ++looks > 2;
      },
    } as AbortSignal;
    assert.equal(await runVisibilityJobs(gallery.deps, afterOneChunk), false);
    assert.equal(Math.abs((await shown()) - from), 500, 'one chunk and no more');
    const { list } = assertRead(await asVisitor(gallery).get('/api/photos?limit=100'));
    if (status === 0) assert.deepEqual(list, []);
    assert.equal(await runVisibilityJobs(gallery.deps), true);
    assert.equal(await shown(), to);
    const total = async (who: Person, path = '/api/photos') =>
      assertRead(await who.get(path)).pagination.total;
    assert.equal(await total(asVisitor(gallery)), to === 0 ? 0 : open);
    assert.equal(await total(admin), to);
    assert.equal(await total(admin, '/api/admin/photos'), count);
  }
});
