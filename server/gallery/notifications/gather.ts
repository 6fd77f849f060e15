/**
 * Likes and favorites of a photo gather into one line for its owner, which says how many and who was the latest.
 * Each gets a number, its `notice`; the line remembers the last one that was read. So a like that is taken back
 * leaves the line exactly as it would be without it: the count, the latest actor, read or not.
 */
import type { Transaction } from 'kysely';
import type { PhotoRow, Tables } from '../../platform/db/tables.ts';

const types = { likes: 'like', favorites: 'favorite' } as const;

type Reaction = keyof typeof types;

/**
 * Tells the owner of the photo, which the caller has locked. Returns the notice to keep in the reaction's row; null
 * when the owner did it. The line gets a new id: whoever marks the old one as read has not seen this.
 */
export async function gather(
  transaction: Transaction<Tables>,
  photo: PhotoRow,
  reaction: Reaction,
  actorId: number,
  now: number,
): Promise<number | null> {
  if (photo.user_id === actorId) return null;
  const line = await transaction
    .deleteFrom('notifications')
    .where('photo_id', '=', photo.id)
    .where('type', '=', types[reaction])
    .returningAll()
    .executeTakeFirst();
  const notice = (line?.notices ?? 0) + 1;
  await transaction
    .insertInto('notifications')
    .values({
      user_id: photo.user_id,
      type: types[reaction],
      actor_id: actorId,
      photo_id: photo.id,
      comment_id: null,
      count: (line?.count ?? 0) + 1,
      notices: notice,
      notices_read: line?.notices_read ?? 0,
      is_read: 0,
      create_time: now,
    })
    .execute();
  return notice;
}

/** Takes one back whose row is gone already. `notice`: what its row held. */
export async function takeBack(
  transaction: Transaction<Tables>,
  photo: PhotoRow,
  reaction: Reaction,
  notice: number | null,
): Promise<void> {
  if (notice === null) return;
  const latest = await transaction
    .selectFrom(reaction)
    .select(['user_id', 'create_time', (reaction) => reaction.ref('notice').$notNull().as('notice')])
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
    .set((line) => ({
      count: line('count', '-', 1),
      actor_id: latest.user_id,
      create_time: latest.create_time,
      is_read: line.case().when('notices_read', '>=', latest.notice).then(1).else(0).end(),
    }))
    .where('photo_id', '=', photo.id)
    .where('type', '=', types[reaction])
    .execute();
}
