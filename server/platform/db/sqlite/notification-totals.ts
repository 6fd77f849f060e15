/** Keeps `notification_totals` on SQLite, whatever adds, reads or removes a notification, cascades included. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

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
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
