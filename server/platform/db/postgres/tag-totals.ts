/**
 * Keeps `tag_totals` on PostgreSQL: one trigger a statement, so that hiding a hundred thousand photos changes each
 * total once. Two transactions would touch the same totals in different orders; a lock until the commit makes
 * the second wait instead of failing. Taken after the photos' locks and before those of `photo_totals`.
 */

import { type Kysely, sql, type Transaction } from 'kysely';
import type { TagMove } from '../dialect.ts';
import { Visibility } from '../states.ts';
import type { Tables } from '../tables.ts';
import { countExistingTags } from '../tag-totals.ts';

/** Any number that no other advisory lock of this database uses. */
const lock = 7_461_001;

export async function keepTagTotals(kysely: Kysely<Tables>): Promise<void> {
  await countExistingTags(kysely);
  const statements = [
    trigger('added', 'INSERT', 'NEW TABLE AS came', add('SELECT * FROM came')),
    trigger('removed', 'DELETE', 'OLD TABLE AS went', subtract('SELECT * FROM went')),
    trigger(
      'changed',
      'UPDATE',
      'OLD TABLE AS went NEW TABLE AS came',
      `${subtract(changed('went', 'came'))} ${add(changed('came', 'went'))}`,
    ),
  ].flat();
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

/** The trigger counts what a statement did by itself. */
export async function moveTags(transaction: Transaction<Tables>, { photos, to }: TagMove): Promise<void> {
  await sql`UPDATE photo_tags SET visibility = ${to} WHERE photo_id IN (${photos})`.execute(transaction);
}

function trigger(name: string, event: string, tables: string, body: string): string[] {
  return [
    `CREATE FUNCTION photo_tags_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(${lock});
        ${body}
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER photo_tags_${name} AFTER ${event} ON photo_tags REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION photo_tags_${name}()`,
  ];
}

/** The rows of one side whose visibility is another on the other side. */
function changed(side: string, other: string): string {
  return `SELECT a.* FROM ${side} a JOIN ${other} b USING (photo_id, name_key) WHERE a.visibility <> b.visibility`;
}

/** Row 0 counts everybody's, as in `photo_totals`. */
function counted(rows: string): string {
  return `SELECT users.id AS user_id, visibility, name_key, min(name) AS name, count(*) AS n
    FROM (${rows}) AS tags CROSS JOIN LATERAL (VALUES (0::bigint), (tags.user_id)) AS users (id)
    WHERE visibility > ${Visibility.trash} GROUP BY users.id, visibility, name_key`;
}

function add(rows: string): string {
  return `INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
    SELECT user_id, visibility, name_key, name, n FROM (${counted(rows)}) AS counted
    ON CONFLICT (user_id, visibility, name_key) DO UPDATE SET n = tag_totals.n + excluded.n;`;
}

/** A tag that nothing carries any longer is forgotten, its spelling included. */
function subtract(rows: string): string {
  const same = `t.user_id = counted.user_id AND t.visibility = counted.visibility AND t.name_key = counted.name_key`;
  return `DELETE FROM tag_totals t USING (${counted(rows)}) AS counted WHERE ${same} AND t.n <= counted.n;
    UPDATE tag_totals t SET n = t.n - counted.n FROM (${counted(rows)}) AS counted WHERE ${same};`;
}
