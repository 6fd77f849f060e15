/**
 * What PostgreSQL keeps by triggers, one a statement: so hiding a hundred thousand photos changes each total once.
 * Two transactions that touch the same totals must not do so in different orders.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { TagMove } from '../dialect.ts';
import { runAll } from '../migrations/up.ts';
import { Visibility } from '../states.ts';
import type { Tables } from '../tables.ts';

/** Any number that no other advisory lock of this database uses. */
export const totalsLock = 7_461_001;

const old = 'OLD TABLE AS went';
const young = 'NEW TABLE AS came';

/**
 * A lock until the commit makes the second of two transactions wait instead of failing. Taken after the photos' locks
 * and before those of `photo_totals`.
 */
export async function keepTagTotals(kysely: Kysely<Tables>): Promise<void> {
  const body = (changes: string) => `PERFORM pg_advisory_xact_lock(${totalsLock}); ${changes}`;
  const changes = `${subtract(changed('went', 'came'))} ${add(changed('came', 'went'))}`;
  await createTrigger(kysely, 'photo_tags', 'added', 'INSERT', young, body(add('SELECT * FROM came')));
  await createTrigger(kysely, 'photo_tags', 'removed', 'DELETE', old, body(subtract('SELECT * FROM went')));
  await createTrigger(kysely, 'photo_tags', 'changed', 'UPDATE', `${old} ${young}`, body(changes));
}

/** The trigger counts what a statement did by itself. */
export async function moveTags(transaction: Transaction<Tables>, { photos, to }: TagMove): Promise<void> {
  await sql`UPDATE photo_tags SET visibility = ${to} WHERE photo_id IN (${photos})`.execute(transaction);
}

/**
 * Totals change in the order of their users. A transaction that may touch several users' notifications does so in one
 * statement (gallery/notifications/notify.ts).
 */
export async function keepNotificationTotals(kysely: Kysely<Tables>): Promise<void> {
  const came = `SELECT user_id, 1 AS n, 1 - is_read AS unread FROM came`;
  const went = `SELECT user_id, -1 AS n, is_read - 1 AS unread FROM went`;
  const body = (changes: string) => `INSERT INTO notification_totals AS totals (user_id, n, unread)
    SELECT user_id, sum(n), sum(unread) FROM (${changes}) AS changes
    GROUP BY user_id HAVING sum(n) <> 0 OR sum(unread) <> 0 ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE
      SET n = totals.n + excluded.n, unread = totals.unread + excluded.unread;`;
  const both = `${came} UNION ALL ${went}`;
  await createTrigger(kysely, 'notifications', 'added', 'INSERT', young, body(came));
  await createTrigger(kysely, 'notifications', 'removed', 'DELETE', old, body(went));
  await createTrigger(kysely, 'notifications', 'read', 'UPDATE', `${old} ${young}`, body(both));
}

async function createTrigger(
  kysely: Kysely<Tables>,
  table: string,
  name: string,
  event: string,
  tables: string,
  body: string,
): Promise<void> {
  const statements = [
    `CREATE FUNCTION ${table}_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${body} RETURN NULL; END $$`,
    `CREATE TRIGGER ${table}_${name} AFTER ${event} ON ${table} REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION ${table}_${name}()`,
  ];
  await runAll(kysely, statements);
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

/** Refuses whatever would change or remove a row. */
export async function keepUnchanged(
  kysely: Kysely<Tables>,
  table: keyof Tables,
  unless?: string,
): Promise<void> {
  const kept = unless ? `WHEN (OLD.${unless} IS NULL)` : '';
  const statements = [
    `CREATE OR REPLACE FUNCTION ${table}_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${table} is only ever added to'; END $$`,
    `DROP TRIGGER IF EXISTS ${table}_unchanged ON ${table}`,
    `CREATE TRIGGER ${table}_unchanged BEFORE UPDATE OR DELETE ON ${table}
      FOR EACH ROW ${kept} EXECUTE FUNCTION ${table}_unchanged()`,
    `CREATE OR REPLACE TRIGGER ${table}_not_truncated BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION ${table}_unchanged()`,
  ];
  await runAll(kysely, statements);
}
