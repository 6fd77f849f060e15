/** Likes and favorites. Each reaction is a row, and the counters change in the same transaction. */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { lockPhoto } from '../library/locks.ts';
import { canSee, isTrashed } from '../library/permissions.ts';
import { addReactionNotification, removeReactionNotification } from '../notifications/group.ts';
import { emitWebhookEvent } from '../webhooks/emit.ts';

export type Reaction = 'likes' | 'favorites';

export interface ReactionState {
  isSet: boolean;
  count: number;
}

/**
 * Sets or removes a reaction, as `wanted` says, or toggles the reaction if `wanted` is undefined. Throws photoNotFound
 * or photoForbidden. Removing is always allowed, even from a photo that the viewer can no longer see, but then the
 * returned count is 0.
 */
export async function changeReaction(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  reaction: Reaction,
  wanted?: boolean,
): Promise<ReactionState> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    // The lock on the photo's row makes concurrent reactions to the same photo run one after the other.
    const photo = await lockPhoto(transaction, photoId);
    if (!photo || isTrashed(photo)) throw errors.photoNotFound();
    const isSeen = canSee(viewer, photo);
    const wasSet = await isReaction(transaction, photoId, reaction, viewer.id);
    const isSet = wanted ?? !wasSet;
    // Removing an absent reaction is no error, so that clients can repeat the request.
    if (!isSeen && !wasSet && isSet) throw errors.photoForbidden();
    if (isSet === wasSet)
      return { isSet, count: isSeen ? await readCount(transaction, photoId, reaction) : 0 };

    if (isSet) await addReaction(deps, transaction, photo, reaction, viewer);
    else await removeReaction(transaction, photo, reaction, viewer.id);
    const count = await addToCount(transaction, photoId, reaction, isSet ? 1 : -1);
    if (isSet && reaction === 'likes') {
      await emitWebhookEvent(deps, transaction, photo.user_id, {
        type: 'like.created',
        actorId: viewer.id,
        photo,
      });
    }
    return { isSet, count: isSeen ? count : 0 };
  });
}

async function isReaction(
  transaction: Transaction,
  photoId: number,
  reaction: Reaction,
  userId: number,
): Promise<boolean> {
  const found = await transaction
    .selectFrom(reaction)
    .select('photo_id')
    .where('photo_id', '=', photoId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Adds a reaction's row, and adds the reaction to the owner's notification. The caller has locked the photo. */
async function addReaction(
  { clock }: Deps,
  transaction: Transaction,
  photo: PhotoRow,
  reaction: Reaction,
  viewer: Viewer,
): Promise<void> {
  const now = clock();
  const notice = await addReactionNotification(transaction, photo, reaction, viewer.id, now);
  await transaction
    .insertInto(reaction)
    .values({ photo_id: photo.id, user_id: viewer.id, create_time: now, notice })
    .execute();
}

/** Removes a reaction of an account that is being deleted, even if the photo is private or in the trash. */
export async function eraseAccountReaction(
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

/**
 * Removes a reaction's row, and removes the reaction from the owner's notification. Returns true if the row existed.
 * The caller has locked the photo.
 */
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
  if (removed) await removeReactionNotification(transaction, photo, reaction, removed.notice);
  return removed !== undefined;
}

async function readCount(transaction: Transaction, photoId: number, reaction: Reaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('photo_counts')
    .select(`${reaction} as count`)
    .where('photo_id', '=', photoId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Changes the counter of a reaction by 1 or -1 and returns the new count. The caller has locked the photo. */
async function addToCount(
  transaction: Transaction,
  photoId: number,
  reaction: Reaction,
  by: 1 | -1,
): Promise<number> {
  const { count } = await transaction
    .updateTable('photo_counts')
    .set({ [reaction]: sql<number>`${sql.ref(reaction)} + ${by}` })
    .where('photo_id', '=', photoId)
    .returning(`${reaction} as count`)
    .executeTakeFirstOrThrow();
  return count;
}
