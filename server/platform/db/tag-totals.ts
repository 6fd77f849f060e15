/** The first count of tags that are there already; from then on triggers keep it (sqlite-, postgres-tag-totals.ts). */

import { type Kysely, sql } from 'kysely';
import { Visibility } from './states.ts';
import type { Tables } from './tables.ts';

export async function countExistingTags(kysely: Kysely<Tables>): Promise<void> {
  for (const user of [sql`0`, sql.ref('user_id')]) {
    await sql`INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
      SELECT ${user}, visibility, name_key, min(name), count(*) FROM photo_tags
      WHERE visibility > ${sql.lit(Visibility.trash)} GROUP BY 1, 2, 3`.execute(kysely);
  }
}
