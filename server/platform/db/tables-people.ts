/**
 * Table rows for what users write and do: comments, notifications, reports, follows and the audit log. See `tables.ts`.
 */
import type { Generated, Selectable } from 'kysely';

export interface CommentsTable {
  id: Generated<number>;
  photo_id: number;
  /** Id of the comment that this comment answers. Null for a comment on the photo itself. */
  parent_id: number | null;
  user_id: number;
  likes: number;
  reply_count: number;
  create_time: number;
  content: string;
  /** Text of the comment in folded form, for the admins' keyword search that ignores case. */
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
  /** User who receives the notification. */
  user_id: number;
  type: NotificationType;
  /** User whose action was the latest in the notification. */
  actor_id: number;
  photo_id: number | null;
  comment_id: number | null;
  /** Number of likes or favorites in this notification. 1 for other types. */
  count: number;
  /** Sequence number of the last like or favorite, and of the last one that was read. */
  notices: number;
  notices_read: number;
  is_read: number;
  create_time: number;
}

export interface ReportsTable {
  id: Generated<number>;
  /** User who made the report. */
  user_id: number;
  target_type: 'photo' | 'comment' | 'user';
  /** Id of the reported photo, comment or user, which may have been deleted since. */
  target_id: number;
  reason: string;
  content: string;
  /**
   * State of the report: 'open' until an admin has handled it. A user has at most one open report about the same
   * target.
   */
  status: string;
  create_time: number;
  /** Action that the admin took: 'dismiss', 'delete' or 'disable_user'. Empty while the report is open. */
  action: Generated<string>;
  note: Generated<string>;
  /** Username that the admin had when handling the report. */
  handler: Generated<string>;
  handled_time: Generated<number | null>;
}

/**
 * Entries of the audit log: completed actions ("acts"), and attempts such as sign-ins and refused calls, which have an
 * `attempt_key`. The database rejects every change of an act.
 */
export interface AuditLogTable {
  id: Generated<number>;
  /** Id of the acting user, who may have been deleted since. Null for the command line and for unknown users. */
  actor_id: number | null;
  /** Username that the actor had at the time of the entry. Empty for an unknown user. */
  actor: string;
  /** Username `actor` in folded form, for searches that ignore case. */
  actor_key: string;
  action: string;
  target_type: string;
  target_id: number;
  /** Name that the target had at the time of the entry, e.g. a username or a title. */
  target: string;
  /** Details of the audit log entry as a JSON object. */
  details: string;
  create_time: number;
  outcome: Generated<'succeeded' | 'refused' | 'limited'>;
  /** IP address of the client of an attempt. Empty for other entries, and for attempts from several IP addresses. */
  address: Generated<string>;
  /** Number of attempts of one kind within an hour. 1 for entries that are no attempts. */
  count: Generated<number>;
  /** Time of the latest attempt. Null for entries that are no attempts. */
  last_time: Generated<number | null>;
  /** Unique key by which attempts are grouped and counted. Null for acts. */
  attempt_key: Generated<string | null>;
}

export interface FollowsTable {
  follower_id: number;
  followee_id: number;
  create_time: number;
}

export type CommentRow = Selectable<CommentsTable>;
