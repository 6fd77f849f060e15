/**
 * Keeps `tag_totals` on SQLite: a trigger for each way in which a photo's tag comes, goes, or changes visibility.
 * Many that change it together are counted first, in `tag_moves`; as long as this holds anything, the triggers rest.
 */

import { type Kysely, sql, type Transaction } from 'kysely';
import type { TagMove } from '../dialect.ts';
import { Visibility } from '../states.ts';
import type { Tables } from '../tables.ts';
import { countExistingTags } from '../tag-totals.ts';

export async function keepTagTotals(kysely: Kysely<Tables>): Promise<void> {
  await countExistingTags(kysely);
  const statements = [
    `CREATE TRIGGER photo_tags_added AFTER INSERT ON photo_tags WHEN NEW.visibility > ${Visibility.trash}
      BEGIN ${add('NEW')} END`,
    `CREATE TRIGGER photo_tags_removed AFTER DELETE ON photo_tags WHEN OLD.visibility > ${Visibility.trash}
      BEGIN ${subtract('OLD')} END`,
    `CREATE TRIGGER photo_tags_shown AFTER UPDATE OF visibility ON photo_tags
      WHEN NEW.visibility > ${Visibility.trash} AND NEW.visibility <> OLD.visibility
      BEGIN ${add('NEW')} END`,
    `CREATE TRIGGER photo_tags_hidden AFTER UPDATE OF visibility ON photo_tags
      WHEN OLD.visibility > ${Visibility.trash} AND NEW.visibility <> OLD.visibility
      BEGIN ${subtract('OLD')} END`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

export async function keepTagMoves(kysely: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TABLE tag_moves (name_key text PRIMARY KEY, name text NOT NULL, n bigint NOT NULL)`,
    `DROP TRIGGER photo_tags_shown`,
    `DROP TRIGGER photo_tags_hidden`,
    `CREATE TRIGGER photo_tags_shown AFTER UPDATE OF visibility ON photo_tags
      WHEN NEW.visibility > ${Visibility.trash} AND NEW.visibility <> OLD.visibility AND NOT EXISTS (SELECT 1 FROM tag_moves)
      BEGIN ${add('NEW')} END`,
    `CREATE TRIGGER photo_tags_hidden AFTER UPDATE OF visibility ON photo_tags
      WHEN OLD.visibility > ${Visibility.trash} AND NEW.visibility <> OLD.visibility AND NOT EXISTS (SELECT 1 FROM tag_moves)
      BEGIN ${subtract('OLD')} END`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

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

/** Row 0 counts everybody's, as in `photo_totals`. */
function add(row: string): string {
  return [`0`, `${row}.user_id`]
    .map(
      (user) => `INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
        VALUES (${user}, ${row}.visibility, ${row}.name_key, ${row}.name, 1)
        ON CONFLICT (user_id, visibility, name_key) DO UPDATE SET n = n + 1;`,
    )
    .join('\n');
}

/** A tag that nothing carries any longer is forgotten, its spelling included. */
function subtract(row: string): string {
  const which = `user_id IN (0, ${row}.user_id) AND visibility = ${row}.visibility AND name_key = ${row}.name_key`;
  return `UPDATE tag_totals SET n = n - 1 WHERE ${which};
    DELETE FROM tag_totals WHERE ${which} AND n <= 0;`;
}
