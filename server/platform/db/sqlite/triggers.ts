/**
 * What SQLite keeps by triggers: totals of tags and notifications, whatever adds, changes or removes a row, cascades
 * included. Many tags that change their visibility together are counted first, in `tag_moves`; as long as this holds
 * anything, the triggers rest.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { TagMove } from '../dialect.ts';
import { runAll } from '../migrations/up.ts';
import { Visibility } from '../states.ts';
import type { Tables } from '../tables.ts';

export async function keepTagTotals(kysely: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TRIGGER photo_tags_added AFTER INSERT ON photo_tags WHEN NEW.visibility > ${Visibility.trash}
      BEGIN ${add('NEW')} END`,
    `CREATE TRIGGER photo_tags_removed AFTER DELETE ON photo_tags WHEN OLD.visibility > ${Visibility.trash}
      BEGIN ${subtract('OLD')} END`,
    ...visibilityTriggers(''),
  ];
  await runAll(kysely, statements);
}

export async function keepTagMoves(kysely: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TABLE tag_moves (name_key text PRIMARY KEY, name text NOT NULL, n bigint NOT NULL)`,
    `DROP TRIGGER photo_tags_shown`,
    `DROP TRIGGER photo_tags_hidden`,
    ...visibilityTriggers('AND NOT EXISTS (SELECT 1 FROM tag_moves)'),
  ];
  await runAll(kysely, statements);
}

function visibilityTriggers(condition: string): string[] {
  const changes = `AFTER UPDATE OF visibility ON photo_tags WHEN NEW.visibility <> OLD.visibility ${condition}`;
  return [
    `CREATE TRIGGER photo_tags_shown ${changes} AND NEW.visibility > ${Visibility.trash} BEGIN ${add('NEW')} END`,
    `CREATE TRIGGER photo_tags_hidden ${changes} AND OLD.visibility > ${Visibility.trash} BEGIN ${subtract('OLD')} END`,
  ];
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

export async function keepNotificationTotals(kysely: Kysely<Tables>): Promise<void> {
  const statements = [
    `CREATE TRIGGER notifications_added AFTER INSERT ON notifications BEGIN
      INSERT INTO notification_totals (user_id, n, unread) VALUES (NEW.user_id, 1, 1 - NEW.is_read)
      ON CONFLICT (user_id) DO UPDATE SET n = n + 1, unread = unread + 1 - NEW.is_read; END`,
    `CREATE TRIGGER notifications_removed AFTER DELETE ON notifications BEGIN
      UPDATE notification_totals SET n = n - 1, unread = unread - 1 + OLD.is_read
      WHERE user_id = OLD.user_id; END`,
    `CREATE TRIGGER notifications_read AFTER UPDATE OF is_read ON notifications
      WHEN NEW.is_read <> OLD.is_read BEGIN
      UPDATE notification_totals SET unread = unread + OLD.is_read - NEW.is_read
      WHERE user_id = NEW.user_id; END`,
  ];
  await runAll(kysely, statements);
}

/** Refuses whatever would change or remove a row, a replacing insert included. */
export async function keepUnchanged(
  kysely: Kysely<Tables>,
  table: keyof Tables,
  unless?: string,
): Promise<void> {
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table} is only ever added to'); END`;
  const kept = unless ? `WHEN OLD.${unless} IS NULL` : '';
  const statements = [
    ...['not_updated', 'not_deleted', 'not_replaced'].map(
      (name) => `DROP TRIGGER IF EXISTS ${table}_${name}`,
    ),
    `CREATE TRIGGER ${table}_not_updated BEFORE UPDATE ON ${table} ${kept} ${refuse}`,
    `CREATE TRIGGER ${table}_not_deleted BEFORE DELETE ON ${table} ${kept} ${refuse}`,
    `CREATE TRIGGER ${table}_not_replaced BEFORE INSERT ON ${table}
      WHEN EXISTS (SELECT 1 FROM ${table} WHERE id = NEW.id${unless ? ` AND ${unless} IS NULL` : ''}) ${refuse}`,
  ];
  await runAll(kysely, statements);
}
