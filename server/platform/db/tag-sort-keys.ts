/** Fills the sort keys of tags, which SQL cannot compute. */
import { type Kysely, sql } from 'kysely';
import { naturalSortKey } from './fold.ts';

const maxTagsAtOnce = 500;

/**
 * Gives tags without a sort key their key, at most 500 tags. A partial index finds the rows, so the call costs little if
 * there are none. Returns the number of tags.
 */
export async function fillTagSortKeys<Tables>(kysely: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ key: string }>`SELECT DISTINCT name_key AS key FROM tag_totals
    WHERE sort_key = '' LIMIT ${sql.lit(maxTagsAtOnce)}`.execute(kysely);
  for (const { key } of rows)
    await sql`UPDATE tag_totals SET sort_key = ${naturalSortKey(key)}
      WHERE name_key = ${key} AND sort_key = ''`.execute(kysely);
  return rows.length;
}
