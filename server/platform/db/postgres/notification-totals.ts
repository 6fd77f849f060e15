/**
 * Keeps `notification_totals` on PostgreSQL: one trigger a statement, which changes the totals in the order of their
 * users, so that two transactions cannot wait for each other. A transaction that may touch several users'
 * notifications does so in one statement (gallery/notifications/notify.ts).
 */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function keepNotificationTotals(kysely: Kysely<Tables>): Promise<void> {
  const came = `SELECT user_id, 1 AS n, 1 - is_read AS unread FROM came`;
  const went = `SELECT user_id, -1 AS n, is_read - 1 AS unread FROM went`;
  const statements = [
    trigger('added', 'INSERT', 'NEW TABLE AS came', came),
    trigger('removed', 'DELETE', 'OLD TABLE AS went', went),
    trigger('read', 'UPDATE', 'OLD TABLE AS went NEW TABLE AS came', `${came} UNION ALL ${went}`),
  ].flat();
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

function trigger(name: string, event: string, tables: string, changes: string): string[] {
  return [
    `CREATE FUNCTION notifications_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO notification_totals AS totals (user_id, n, unread)
        SELECT user_id, sum(n), sum(unread) FROM (${changes}) AS changes
        GROUP BY user_id HAVING sum(n) <> 0 OR sum(unread) <> 0 ORDER BY user_id
        ON CONFLICT (user_id) DO UPDATE
          SET n = totals.n + excluded.n, unread = totals.unread + excluded.unread;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER notifications_${name} AFTER ${event} ON notifications REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION notifications_${name}()`,
  ];
}
