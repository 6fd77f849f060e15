/**
 * Writes notifications in the transaction of the change that they report. `group.ts` writes the notifications of likes
 * and favorites.
 */
import type { SelectQueryBuilder } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { NotificationType, Tables, Transaction } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';

export interface NewNotification {
  /** Id of the user who receives the notification. */
  userId: number;
  type: NotificationType;
  actorId: number;
  photoId?: number;
  commentId?: number;
}

/** Inserts notifications, but none to a user about that user's own action. */
export async function insertNotifications(
  transaction: Transaction,
  now: number,
  ...notifications: NewNotification[]
): Promise<void> {
  const rows = notifications
    .filter(({ userId, actorId }) => userId !== actorId)
    .map(({ userId, type, actorId, photoId, commentId }) => ({
      user_id: userId,
      type,
      actor_id: actorId,
      photo_id: photoId ?? null,
      comment_id: commentId ?? null,
      count: 1,
      notices: 1,
      notices_read: 0,
      is_read: 0,
      create_time: now,
    }));
  if (rows.length > 0) await transaction.insertInto('notifications').values(rows).execute();
}

/** Deletes the notification of a follow, after the follow itself was removed. */
export async function deleteFollowNotification(
  transaction: Transaction,
  followerId: number,
  followeeId: number,
): Promise<void> {
  await removeNotifications(transaction, (query) =>
    query.where('actor_id', '=', followerId).where('type', '=', 'follow').where('user_id', '=', followeeId),
  );
}

type NotificationFilter = (
  query: SelectQueryBuilder<Tables, 'notifications', { id: number }>,
) => SelectQueryBuilder<Tables, 'notifications', { id: number }>;

/**
 * Deletes notifications of any number of users. Locks the notifications in the order of their ids, like `markNotificationsRead`, to
 * avoid deadlocks. Callers delete notifications before the photo or the comment, because a cascade would lock in any
 * order.
 */
export async function removeNotifications(
  transaction: Transaction,
  which: NotificationFilter,
): Promise<void> {
  const ids = which(transaction.selectFrom('notifications').select('id')).orderBy('id').forUpdate();
  await transaction.deleteFrom('notifications').where('id', 'in', ids).execute();
}

/**
 * Marks notifications of the viewer as read, or all of them if `ids` is undefined. Ids of other users' notifications
 * are ignored, like unknown ids.
 */
export async function markNotificationsRead(
  { db }: Deps,
  viewer: Viewer,
  ids: number[] | undefined,
): Promise<void> {
  await db.kysely
    .updateTable('notifications')
    .set(({ ref }) => ({ is_read: 1, notices_read: ref('notices') }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', viewer.id)
        .where((is) => is('is_read', '=', is.lit(0)))
        .$if(ids !== undefined, (some) => some.where('id', 'in', ids!))
        // The rows are locked in the order of their ids, so that two requests for the same notifications cannot
        // deadlock.
        .orderBy('id')
        .forUpdate(),
    )
    .execute();
}
