/**
 * Triggers of SQLite keep the totals of tags row by row. Many tags that change their visibility together are counted
 * first, in `tag_moves`; as long as this holds anything, the triggers rest.
 */
import { sql, type Transaction } from 'kysely';
import type { TagMove } from '../dialect.ts';
import type { Tables } from '../tables.ts';

/** SQLite has one writer: no other transaction ever sees a row in `tag_moves`. */
export async function moveTags(
  transaction: Transaction<Tables>,
  { photos, userId, from, to }: TagMove,
): Promise<void> {
  const statements = [
    sql`INSERT INTO tag_moves SELECT name_key, min(name), count(*) FROM photo_tags
      WHERE photo_id IN (${photos}) GROUP BY name_key`,
    ...[0, userId].map(
      (user) => sql`INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
        SELECT ${user}, ${to}, name_key, name, n FROM tag_moves WHERE true
        ON CONFLICT (user_id, visibility, name_key) DO UPDATE SET n = n + excluded.n`,
    ),
    sql`UPDATE tag_totals SET n = tag_totals.n - tag_moves.n FROM tag_moves
      WHERE user_id IN (0, ${userId}) AND visibility = ${from} AND tag_totals.name_key = tag_moves.name_key`,
    // A tag that nothing carries any longer is forgotten, its spelling included.
    sql`DELETE FROM tag_totals WHERE user_id IN (0, ${userId}) AND visibility = ${from} AND n <= 0`,
    sql`UPDATE photo_tags SET visibility = ${to} WHERE photo_id IN (${photos})`,
    sql`DELETE FROM tag_moves`,
  ];
  for (const statement of statements) await statement.execute(transaction);
}
