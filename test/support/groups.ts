/** Kept counts by month, camera and lens, of photos that a test has changed behind the server's back. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { groupedPhotos } from '../../server/gallery/library/groups.ts';
import type { Gallery } from './harness.ts';

export async function recountGroups({ deps: { db } }: Gallery): Promise<void> {
  await sql`DELETE FROM photo_groups`.execute(db.kysely);
  await sql`INSERT INTO photo_groups (user_id, visibility, kind, value, n, ratio)
    SELECT user_id, visibility, kind, value, n, ratio FROM (${groupedPhotos(db)}) AS counted`.execute(
    db.kysely,
  );
}

/** What is kept is what is there. */
export async function assertGroupsHold({ deps: { db } }: Gallery): Promise<void> {
  const columns = sql`user_id, visibility, kind, value, n, ratio`;
  const order = sql`ORDER BY user_id, visibility, kind, value`;
  const kept = await sql`SELECT ${columns} FROM photo_groups WHERE n <> 0 ${order}`.execute(db.kysely);
  const counted = await sql`SELECT ${columns} FROM (${groupedPhotos(db)}) AS counted ${order}`.execute(
    db.kysely,
  );
  assert.ok(kept.rows.length > 0);
  assert.deepEqual(kept.rows, counted.rows);
}
