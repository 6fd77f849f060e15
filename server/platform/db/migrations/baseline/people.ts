/** Tables for likes, follows, comments, notifications, reports, shares and webhooks. */
import type { ColumnTypes } from '../up.ts';

export const people = ({ id }: ColumnTypes) => `
  CREATE TABLE likes (
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    create_time bigint NOT NULL, notice bigint,
    PRIMARY KEY (photo_id, user_id));
  CREATE INDEX likes_user ON likes (user_id, create_time, photo_id);
  CREATE INDEX likes_notices ON likes (photo_id, notice) WHERE notice IS NOT NULL;
  CREATE INDEX likes_by_create_time ON likes (create_time);

  CREATE TABLE favorites (
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    create_time bigint NOT NULL, notice bigint,
    PRIMARY KEY (photo_id, user_id));
  CREATE INDEX favorites_user ON favorites (user_id, create_time, photo_id);
  CREATE INDEX favorites_notices ON favorites (photo_id, notice) WHERE notice IS NOT NULL;

  CREATE TABLE follows (
    follower_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    followee_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    create_time bigint NOT NULL,
    PRIMARY KEY (follower_id, followee_id));
  CREATE INDEX follows_of_follower ON follows (follower_id, create_time, followee_id);
  CREATE INDEX follows_of_followee ON follows (followee_id, create_time, follower_id);

  CREATE TABLE comments (
    id ${id},
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    parent_id bigint REFERENCES comments (id) ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    likes bigint NOT NULL, reply_count bigint NOT NULL, create_time bigint NOT NULL, content text NOT NULL,
    search_text text NOT NULL DEFAULT '');
  CREATE INDEX comments_of_photo ON comments (photo_id, id) WHERE parent_id IS NULL;
  CREATE INDEX comments_all_of_photo ON comments (photo_id, parent_id, id);
  CREATE INDEX comments_replies ON comments (parent_id, id);
  CREATE INDEX comments_user ON comments (user_id, id);
  CREATE INDEX comments_by_create_time ON comments (create_time);

  CREATE TABLE comment_likes (
    comment_id bigint NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    create_time bigint NOT NULL,
    PRIMARY KEY (comment_id, user_id));
  CREATE INDEX comment_likes_user ON comment_likes (user_id);

  CREATE TABLE notifications (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type text NOT NULL,
    actor_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    photo_id bigint REFERENCES photos (id) ON DELETE CASCADE,
    comment_id bigint REFERENCES comments (id) ON DELETE CASCADE,
    count bigint NOT NULL, notices bigint NOT NULL, notices_read bigint NOT NULL, is_read integer NOT NULL,
    create_time bigint NOT NULL);
  CREATE INDEX notifications_of_user ON notifications (user_id, create_time, id);
  CREATE INDEX notifications_unread ON notifications (user_id, create_time, id) WHERE is_read = 0;
  CREATE INDEX notifications_photo ON notifications (photo_id, type);
  CREATE INDEX notifications_comment ON notifications (comment_id);
  CREATE INDEX notifications_actor ON notifications (actor_id, type, user_id);

  CREATE TABLE notification_totals (user_id bigint PRIMARY KEY, n bigint NOT NULL, unread bigint NOT NULL);

  CREATE TABLE reports (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    target_type text NOT NULL, target_id bigint NOT NULL, reason text NOT NULL, content text NOT NULL,
    status text NOT NULL, create_time bigint NOT NULL, action text NOT NULL DEFAULT '', note text NOT NULL DEFAULT '',
    handler text NOT NULL DEFAULT '', handled_time bigint);
  CREATE UNIQUE INDEX reports_open ON reports (user_id, target_type, target_id) WHERE status = 'open';
  CREATE INDEX reports_by_status ON reports (status, id);
  CREATE INDEX reports_target ON reports (target_type, target_id);
  CREATE INDEX reports_open_by_target ON reports (target_type, target_id, user_id) WHERE status = 'open';
  CREATE INDEX reports_user ON reports (user_id);

  CREATE TABLE shares (
    id ${id}, token text NOT NULL,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type text NOT NULL,
    photo_id bigint REFERENCES photos (id) ON DELETE CASCADE,
    album_id bigint REFERENCES albums (id) ON DELETE CASCADE,
    password_hash text NOT NULL, expire_time bigint, views bigint NOT NULL, create_time bigint NOT NULL,
    allow_download integer NOT NULL DEFAULT 1, max_views bigint, downloads bigint NOT NULL DEFAULT 0,
    last_view_time bigint);
  CREATE UNIQUE INDEX shares_token ON shares (token);
  CREATE INDEX shares_user ON shares (user_id, id);
  CREATE INDEX shares_photo ON shares (photo_id);
  CREATE INDEX shares_album ON shares (album_id);

  CREATE TABLE share_downloads (
    share_id bigint NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
    client text NOT NULL, until_time bigint NOT NULL, taken bigint NOT NULL, resumed bigint NOT NULL,
    PRIMARY KEY (share_id, client));
  CREATE INDEX share_downloads_end ON share_downloads (until_time);

  CREATE TABLE webhooks (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url text NOT NULL, secret text NOT NULL, events text NOT NULL, description text NOT NULL,
    is_active integer NOT NULL, disabled_reason text NOT NULL, failures bigint NOT NULL, failing_since bigint,
    resume_time bigint NOT NULL, create_time bigint NOT NULL);
  CREATE INDEX webhooks_user ON webhooks (user_id, id);

  CREATE TABLE webhook_deliveries (
    id ${id},
    webhook_id bigint NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    user_id bigint NOT NULL, event_id text NOT NULL, type text NOT NULL, payload text NOT NULL, status text NOT NULL,
    attempts bigint NOT NULL, due_time bigint, give_up_time bigint NOT NULL, last_attempt_time bigint,
    response_status bigint, duration_ms bigint, error text NOT NULL, create_time bigint NOT NULL);
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_time, id, webhook_id, user_id)
    WHERE due_time IS NOT NULL;
  CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, due_time) WHERE due_time IS NOT NULL;
  CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, id);
  CREATE INDEX webhook_deliveries_age ON webhook_deliveries (create_time);
`;
