/** Keeps `tag_totals` on SQLite: a trigger for each way in which a photo's tag comes, goes, or changes visibility. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';
import { countExistingTags } from './tag-totals.ts';

export async function keepTagTotals(kysely: Kysely<Tables>): Promise<void> {
  await countExistingTags(kysely);
  const statements = [
    `CREATE TRIGGER photo_tags_added AFTER INSERT ON photo_tags WHEN NEW.visibility > 0
      BEGIN ${add('NEW')} END`,
    `CREATE TRIGGER photo_tags_removed AFTER DELETE ON photo_tags WHEN OLD.visibility > 0
      BEGIN ${subtract('OLD')} END`,
    `CREATE TRIGGER photo_tags_shown AFTER UPDATE OF visibility ON photo_tags
      WHEN NEW.visibility > 0 AND NEW.visibility <> OLD.visibility
      BEGIN ${add('NEW')} END`,
    `CREATE TRIGGER photo_tags_hidden AFTER UPDATE OF visibility ON photo_tags
      WHEN OLD.visibility > 0 AND NEW.visibility <> OLD.visibility
      BEGIN ${subtract('OLD')} END`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
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
