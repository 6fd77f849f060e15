/**
 * Groups the likes of a photo into one notification to its owner, and the favorites likewise. The notification has the
 * number of reactions and the latest actor. Each reaction has a sequence number (column `notice`), and the notification
 * stores the last sequence number that its owner read. After a reaction is removed, the notification is therefore as if
 * that reaction had never existed.
 */
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';

const notificationTypeByReaction = { likes: 'like', favorites: 'favorite' } as const;

type GroupedReaction = keyof typeof notificationTypeByReaction;

/**
 * Notifies the owner of a photo of a like or a favorite. The caller has locked the photo. Returns the sequence number
 * for the reaction's row, or null if the owner reacted to their own photo. The notification gets a new id, so that
 * marking the old notification as read does not include the new reaction.
 */
export async function addReactionNotification(
  transaction: Transaction,
  photo: PhotoRow,
  reaction: GroupedReaction,
  actorId: number,
  now: number,
): Promise<number | null> {
  if (photo.user_id === actorId) return null;
  const previous = await transaction
    .deleteFrom('notifications')
    .where('photo_id', '=', photo.id)
    .where('type', '=', notificationTypeByReaction[reaction])
    .returningAll()
    .executeTakeFirst();
  const sequence = (previous?.notices ?? 0) + 1;
  await transaction
    .insertInto('notifications')
    .values({
      user_id: photo.user_id,
      type: notificationTypeByReaction[reaction],
      actor_id: actorId,
      photo_id: photo.id,
      comment_id: null,
      count: (previous?.count ?? 0) + 1,
      notices: sequence,
      notices_read: previous?.notices_read ?? 0,
      is_read: 0,
      create_time: now,
    })
    .execute();
  return sequence;
}

/**
 * Removes a like or a favorite from its notification. The caller has already deleted the reaction's row. `sequence` is
 * the number that the row had.
 */
export async function removeReactionNotification(
  transaction: Transaction,
  photo: PhotoRow,
  reaction: GroupedReaction,
  sequence: number | null,
): Promise<void> {
  if (sequence === null) return;
  const latest = await transaction
    .selectFrom(reaction)
    .select(['user_id', 'create_time', (reaction) => reaction.ref('notice').$notNull().as('sequence')])
    .where('photo_id', '=', photo.id)
    .where('notice', 'is not', null)
    .orderBy('notice', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!latest) {
    await transaction
      .deleteFrom('notifications')
      .where('photo_id', '=', photo.id)
      .where('type', '=', notificationTypeByReaction[reaction])
      .execute();
    return;
  }
  await transaction
    .updateTable('notifications')
    .set((is) => ({
      count: is('count', '-', 1),
      actor_id: latest.user_id,
      create_time: latest.create_time,
      is_read: is.case().when('notices_read', '>=', latest.sequence).then(1).else(0).end(),
    }))
    .where('photo_id', '=', photo.id)
    .where('type', '=', notificationTypeByReaction[reaction])
    .execute();
}
