/** Rows of what people say and tell each other: comments, notifications, reports, follows. See tables.ts. */
import type { Generated, Selectable } from 'kysely';

export interface CommentsTable {
  id: Generated<number>;
  photo_id: number;
  /** The comment that this one answers; null for one that answers the photo. */
  parent_id: number | null;
  user_id: number;
  likes: number;
  reply_count: number;
  create_time: number;
  content: string;
  /** Folded `content`: what the admins' keyword looks at. */
  search_text: Generated<string>;
}

export interface CommentLikesTable {
  comment_id: number;
  user_id: number;
  create_time: number;
}

export type NotificationType = 'like' | 'favorite' | 'comment' | 'reply' | 'follow';

export interface NotificationsTable {
  id: Generated<number>;
  /** The recipient. */
  user_id: number;
  type: NotificationType;
  /** The latest actor. */
  actor_id: number;
  photo_id: number | null;
  comment_id: number | null;
  /** Number of likes or favorites in this notification; 1 for other types. */
  count: number;
  /** The last sequence number of a like or favorite, and the last one that was read. */
  notices: number;
  notices_read: number;
  is_read: number;
  create_time: number;
}

export interface ReportsTable {
  id: Generated<number>;
  /** Who reports. */
  user_id: number;
  target_type: 'photo' | 'comment' | 'user';
  /** May be gone by now. */
  target_id: number;
  reason: string;
  content: string;
  /** 'open', until an admin has handled it. At most one open report by a user about a thing. */
  status: string;
  create_time: number;
  /** What was done about it, '' while it is open: 'dismiss', 'delete', 'disable_user'. */
  action: Generated<string>;
  note: Generated<string>;
  /** The username of the admin, as it was then. */
  handler: Generated<string>;
  handled_time: Generated<number | null>;
}

/**
 * What was done (acts), and what was tried at the doors of accounts (attempts, with `attempt_key`). Acts are only ever
 * added: the database refuses everything else.
 */
export interface AuditLogTable {
  id: Generated<number>;
  /** null: the command line, and who is not known. May be gone by now. */
  actor_id: number | null;
  /** The username as it was then; '' for who is not known. */
  actor: string;
  /** Folded `actor`. */
  actor_key: string;
  action: string;
  target_type: string;
  target_id: number;
  /** What the thing was called then: a username, a title, a name. */
  target: string;
  /** JSON object. */
  details: string;
  create_time: number;
  outcome: Generated<'succeeded' | 'refused' | 'limited'>;
  /** The address of an attempt; '' for acts and for several addresses. */
  address: Generated<string>;
  /** Attempts of one kind within an hour; 1 for acts. */
  count: Generated<number>;
  /** Of an attempt; null for acts. */
  last_time: Generated<number | null>;
  /** What attempts are counted together by. Unique; null for acts. */
  attempt_key: Generated<string | null>;
}

export interface FollowsTable {
  follower_id: number;
  followee_id: number;
  create_time: number;
}

export type CommentRow = Selectable<CommentsTable>;
