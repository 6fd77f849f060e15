/** Comments with one level of replies, notifications, reports. Row types: platform/db/tables.ts. */
import { runAll, type Up } from './up.ts';

export const up: Up = async (database, kysely) => {
  const { id } = database.types;
  const statements = [
    `ALTER TABLE photos ADD COLUMN comments bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE photos ADD COLUMN comment_threads bigint NOT NULL DEFAULT 0`,
    `CREATE TABLE comments (
      id ${id},
      photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
      parent_id bigint REFERENCES comments (id) ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      likes bigint NOT NULL, reply_count bigint NOT NULL,
      create_time bigint NOT NULL,
      content text NOT NULL)`,
    // Partial: PostgreSQL does not see that the one below, read for a NULL, is in the order of ids.
    `CREATE INDEX comments_of_photo ON comments (photo_id, id) WHERE parent_id IS NULL`,
    `CREATE INDEX comments_all_of_photo ON comments (photo_id, parent_id, id)`,
    `CREATE INDEX comments_replies ON comments (parent_id, id)`,
    `CREATE INDEX comments_user ON comments (user_id, id)`,
    `CREATE TABLE comment_likes (
      comment_id bigint NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      create_time bigint NOT NULL,
      PRIMARY KEY (comment_id, user_id))`,
    `CREATE INDEX comment_likes_user ON comment_likes (user_id)`,
    `CREATE TABLE notifications (
      id ${id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      type text NOT NULL,
      actor_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      photo_id bigint REFERENCES photos (id) ON DELETE CASCADE,
      comment_id bigint REFERENCES comments (id) ON DELETE CASCADE,
      count bigint NOT NULL, notices bigint NOT NULL, notices_read bigint NOT NULL,
      is_read integer NOT NULL,
      create_time bigint NOT NULL)`,
    `CREATE INDEX notifications_of_user ON notifications (user_id, create_time, id)`,
    `CREATE INDEX notifications_unread ON notifications (user_id, create_time, id) WHERE is_read = 0`,
    `CREATE INDEX notifications_photo ON notifications (photo_id, type)`,
    `CREATE INDEX notifications_comment ON notifications (comment_id)`,
    `CREATE INDEX notifications_actor ON notifications (actor_id, type, user_id)`,
    `CREATE TABLE notification_totals (
      user_id bigint PRIMARY KEY, n bigint NOT NULL, unread bigint NOT NULL)`,
    ...['likes', 'favorites'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN notice bigint`,
      `CREATE INDEX ${table}_notices ON ${table} (photo_id, notice) WHERE notice IS NOT NULL`,
    ]),
    `CREATE TABLE reports (
      id ${id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      target_type text NOT NULL, target_id bigint NOT NULL,
      reason text NOT NULL, content text NOT NULL,
      status text NOT NULL,
      create_time bigint NOT NULL)`,
    `CREATE UNIQUE INDEX reports_open ON reports (user_id, target_type, target_id) WHERE status = 'open'`,
    `CREATE INDEX reports_by_status ON reports (status, id)`,
    `CREATE INDEX reports_target ON reports (target_type, target_id)`,
  ];
  await runAll(kysely, statements);
  await database.keepNotificationTotals(kysely);
};
