/** Like and favorite: toggles whose rows are the truth and whose counters follow in the same transaction. */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { lockPhoto } from '../library/locks.ts';
import { canSee, isTrashed } from '../library/permissions.ts';
import { addToGroup, removeFromGroup } from '../notifications/group.ts';
import { emit } from '../webhooks/emit.ts';

export type Reaction = 'likes' | 'favorites';

export interface ReactionState {
  isSet: boolean;
  count: number;
}

/**
 * Sets what is not set and the other way round. Throws photoNotFound or photoForbidden; but what is set can be taken
 * back from a photo that the viewer sees no longer, whose count is then not told.
 */
export async function toggleReaction(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  reaction: Reaction,
): Promise<ReactionState> {
  const { db, clock } = deps;
  return db.kysely.transaction().execute(async (transaction) => {
    // The photo's row is the lock: toggles of one photo happen one after the other.
    const photo = await lockPhoto(transaction, photoId);
    if (!photo || isTrashed(photo)) throw errors.photoNotFound();
    const isSeen = canSee(viewer, photo);

    const isSet = !(await removeReaction(transaction, photo, reaction, viewer.id));
    if (isSet) {
      if (!isSeen) throw errors.photoForbidden();
      const now = clock();
      const sequence = await addToGroup(transaction, photo, reaction, viewer.id, now);
      await transaction
        .insertInto(reaction)
        .values({ photo_id: photoId, user_id: viewer.id, create_time: now, notice: sequence })
        .execute();
    }
    const count = await addToCount(transaction, photoId, reaction, isSet ? 1 : -1);
    if (isSet && reaction === 'likes') {
      await emit(deps, transaction, photo.user_id, { type: 'like.created', actorId: viewer.id, photo });
    }
    return { isSet, count: isSeen ? count : 0 };
  });
}

/** Of an account that is being deleted: regardless of who sees the photo, also in the trash. */
export async function eraseReaction(
  { db }: Deps,
  userId: number,
  photoId: number,
  reaction: Reaction,
): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, photoId);
    if (!photo || !(await removeReaction(transaction, photo, reaction, userId))) return;
    await addToCount(transaction, photoId, reaction, -1);
  });
}

/** Also from the owner's notification. Returns whether there was one. The photo is locked. */
async function removeReaction(
  transaction: Transaction,
  photo: PhotoRow,
  reaction: Reaction,
  userId: number,
): Promise<boolean> {
  const removed = await transaction
    .deleteFrom(reaction)
    .where('photo_id', '=', photo.id)
    .where('user_id', '=', userId)
    .returning('notice')
    .executeTakeFirst();
  if (removed) await removeFromGroup(transaction, photo, reaction, removed.notice);
  return removed !== undefined;
}

/** Returns the new count. */
async function addToCount(
  transaction: Transaction,
  photoId: number,
  reaction: Reaction,
  by: 1 | -1,
): Promise<number> {
  const { count } = await transaction
    .updateTable('photos')
    .set({ [reaction]: sql<number>`${sql.ref(reaction)} + ${by}` })
    .where('id', '=', photoId)
    .returning(`${reaction} as count`)
    .executeTakeFirstOrThrow();
  return count;
}
