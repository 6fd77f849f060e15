/**
 * Tests the upgrade of a gallery with pending visibility jobs: the counts are right, and the jobs update the
 * photos.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { openPostgres } from '../../../server/platform/db/postgres/postgres.ts';
import { openSqlite } from '../../../server/platform/db/sqlite/sqlite.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { checkCounters } from '../../../server/tools/check/counters.ts';
import { checkTotals } from '../../../server/tools/check/totals.ts';
import { checkVisibility } from '../../../server/tools/check/visibility.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { type Gallery, makeTestDatabase, startGallery } from '../../support/harness.ts';
import { makeOldGallery } from '../../support/old-gallery.ts';
import { asVisitor } from '../../support/people.ts';
import { runChecks } from '../../support/run-checks.ts';

/** Pending work: Ben's account and Ana's first album were hidden just before the upgrade. */
const pending = [
  'UPDATE users SET status = 0 WHERE id = 2',
  'INSERT INTO library_moves (user_id) VALUES (2)',
  // Ben's album is hidden, but its photo is still counted as public.
  `INSERT INTO albums (user_id, name, is_public, create_time, update_time, name_key, search_text, visibility,
    photo_count, public_count, next_position) VALUES (2, 'Ben', 1, 1, 1, 'ben', 'ben', 1, 1, 1, 9)`,
  "UPDATE photos SET album_id = (SELECT id FROM albums WHERE name = 'Ben') WHERE id = 5",
  // The photos of Ana's album count as private, but their rows do not say so yet.
  'UPDATE albums SET is_public = 0, visibility = 1, public_count = 0 WHERE id = 1',
  'INSERT INTO album_moves (album_id, ahead, after) VALUES (1, 2, -1)',
  'UPDATE photo_totals SET n = n - 2 WHERE visibility = 2 AND user_id IN (0, 1)',
  'UPDATE photo_totals SET n = n + 2 WHERE visibility = 1 AND user_id IN (0, 1)',
  'INSERT INTO search_moves (photo_id) VALUES (3)',
];

describe('an upgrade while photos were being hidden', () => {
  let gallery: Gallery;
  let dataDir: string;
  let database: Awaited<ReturnType<typeof makeTestDatabase>>;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-upgrade-'));
    database = await makeTestDatabase();
    await openStorage({ dataDir });
    const limits = {
      pool: 2,
      connectTimeoutMs: 60_000,
      statementTimeoutMs: 0,
      lockTimeoutMs: 0,
      prepares: true,
    };
    const db = database ? openPostgres(database.url, limits, assert.fail) : openSqlite(dataDir);
    await makeOldGallery(db);
    for (const statement of pending) await sql.raw(statement).execute(db.kysely);
    await db.close();
    gallery = await startGallery({ dataDir, databaseUrl: database?.url }, { isIdle: true });
  });
  after(async () => {
    await gallery?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const findings = () => runChecks(gallery, checkCounters, checkTotals, checkVisibility);

  test('hides these photos and counts them as hidden', async () => {
    const { list, pagination } = assertRead(await asVisitor(gallery).get('/api/photos'));
    assert.deepEqual([list, pagination.total], [[], 0]);
    assert.deepEqual(await findings(), []);
  });

  test('lets these photos follow afterwards', async () => {
    assert.equal(await runVisibilityJobs(gallery.deps), true);
    assert.deepEqual(await findings(), []);
    await assertTotalsMatchRows(gallery);
    const { rows } = await sql`SELECT id FROM photos WHERE visibility = 2`.execute(gallery.deps.db.kysely);
    assert.deepEqual(rows, []);
  });
});
