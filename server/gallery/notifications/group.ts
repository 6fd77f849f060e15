/**
 * All likes of a photo share one notification to its owner, and so do its favorites: it has their number and the
 * latest actor. Each gets a sequence number (column `notice`), and the notification keeps the last one that was read.
 * So removing a like leaves the notification as it would be without it: the count, the latest actor, read or not.
 */
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';

const types = { likes: 'like', favorites: 'favorite' } as const;

type Reaction = keyof typeof types;

/**
 * Notifies the owner of the photo, which the caller has locked. Returns the sequence number to keep in the reaction's
 * row; null when the owner reacted. The notification gets a new id, so that marking the old one as read does not
 * include this reaction.
 */
export async function addToGroup(
  transaction: Transaction,
  photo: PhotoRow,
  reaction: Reaction,
  actorId: number,
  now: number,
): Promise<number | null> {
  if (photo.user_id === actorId) return null;
  const previous = await transaction
    .deleteFrom('notifications')
    .where('photo_id', '=', photo.id)
    .where('type', '=', types[reaction])
    .returningAll()
    .executeTakeFirst();
  const sequence = (previous?.notices ?? 0) + 1;
  await transaction
    .insertInto('notifications')
    .values({
      user_id: photo.user_id,
      type: types[reaction],
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

/** Removes a reaction whose row is deleted already. `sequence`: the number that its row had. */
export async function removeFromGroup(
  transaction: Transaction,
  photo: PhotoRow,
  reaction: Reaction,
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
      .where('type', '=', types[reaction])
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
    .where('type', '=', types[reaction])
    .execute();
}
