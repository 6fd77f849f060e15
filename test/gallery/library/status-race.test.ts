/** Tests an account that is enabled while its photos are still being hidden: the last decision must win. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { setUserStatus } from '../../../server/gallery/users/follows/follows.ts';
import { type AccountStatus, UserStatus, Visibility } from '../../../server/platform/db/states.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, register } from '../../support/people.ts';

describe('a change of status beside the moving of the one before', () => {
  let gallery: Gallery;
  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
  });
  after(() => gallery.close());

  /** On SQLite an open transaction blocks all other writes, so the job waits in any case. */
  async function untilWaiting(isDone: () => boolean): Promise<void> {
    const { db } = gallery.deps;
    for (let tries = 0; tries < 500 && !isDone(); tries++) {
      if (db.name === 'sqlite') return;
      const { rows } = await sql<{ n: string }>`SELECT count(*) AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db.kysely);
      if (Number(rows[0]!.n) > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function changeBesideMove(userId: number, from: AccountStatus, to: AccountStatus): Promise<void> {
    const { kysely } = gallery.deps.db;
    await kysely
      .transaction()
      .execute((transaction) => setUserStatus(gallery.deps, transaction, userId, from));
    let moving: Promise<unknown> | undefined;
    await kysely.transaction().execute(async (transaction) => {
      await setUserStatus(gallery.deps, transaction, userId, to);
      let isDone = false;
      moving = runVisibilityJobs(gallery.deps).finally(() => {
        isDone = true;
      });
      await untilWaiting(() => isDone);
    });
    await moving;
    await runVisibilityJobs(gallery.deps);
  }

  for (const [name, from, to, isShown] of [
    ['enabled', UserStatus.disabled, UserStatus.enabled, true],
    ['disabled', UserStatus.enabled, UserStatus.disabled, false],
  ] as const) {
    test(`${name} in the end`, async () => {
      const owner = await register(gallery, name);
      const { id } = await addPhoto(owner, { title: 'Harbour' });
      if (from === UserStatus.enabled) {
        await gallery.deps.db.kysely.transaction().execute(async (transaction) => {
          await setUserStatus(gallery.deps, transaction, owner.id, UserStatus.disabled);
        });
        await runVisibilityJobs(gallery.deps);
      }
      await changeBesideMove(owner.id, from, to);
      const { list } = assertRead(await asVisitor(gallery).get('/api/photos?limit=100'));
      assert.equal(
        list.some((photo: { id: number }) => photo.id === id),
        isShown,
      );
      const row = await gallery.deps.db.kysely
        .selectFrom('photos')
        .select('visibility')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      assert.equal(row.visibility === Visibility.public, isShown);
    });
  }
});
