/** Recomputes stored counts by month, camera and lens for photos whose rows a test has changed directly. */
import { sql } from 'kysely';
import { selectPhotoGroupCounts } from '../../server/gallery/library/groups.ts';
import type { Gallery } from './harness.ts';

export async function recountGroups({ deps: { db } }: Gallery): Promise<void> {
  await sql`DELETE FROM photo_groups`.execute(db.kysely);
  await sql`INSERT INTO photo_groups (user_id, visibility, kind, value, n, ratio)
    SELECT user_id, visibility, kind, value, n, ratio FROM (${selectPhotoGroupCounts(db)}) AS counted`.execute(
    db.kysely,
  );
}
