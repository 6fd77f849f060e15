/** Photos locked for the rest of a transaction. */
import type { Deps } from '../../deps.ts';
import type { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { ownerStatus, visibilityNow } from './visible.ts';

/** With what decides over who sees it. */
export type LockedPhoto = PhotoRow & { owner_status: UserStatus; visibility_now: Visibility };

/**
 * Reads a photo's row and keeps it for this transaction; others may still refer to it. Undefined when there is no such
 * photo.
 */
export function lockPhoto(transaction: Transaction, id: number): Promise<LockedPhoto | undefined> {
  return transaction
    .selectFrom('photos')
    .selectAll()
    .select([ownerStatus, visibilityNow])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Locks a photo whose visibility or album is to change: its owner's library first, as whatever changes albums does,
 * so that a photo is never placed by what an album said before. Undefined when there is no such photo.
 */
export async function lockPhotoToMove(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  id: number,
): Promise<LockedPhoto | undefined> {
  // A photo's owner never changes: it can be read before anything is locked.
  const owner = await transaction
    .selectFrom('photos')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!owner) return undefined;
  await db.lock(transaction, { library: owner.user_id });
  return lockPhoto(transaction, id);
}

/** What the library moves photos by. */
export type MovedPhoto = Pick<
  LockedPhoto,
  'id' | 'user_id' | 'album_id' | 'is_public' | 'visibility' | 'owner_status'
>;

export const movedColumns = ['id', 'user_id', 'album_id', 'is_public', 'visibility'] as const;

/** So many at a time: a statement's parameters are limited, and on PostgreSQL so is its time. */
export const chunkSize = 500;

/** Locks photos in the order of their ids, whose library the caller has locked. Leaves out what does not exist. */
export function lockPhotos(transaction: Transaction, ids: number[]): Promise<MovedPhoto[]> {
  return transaction
    .selectFrom('photos')
    .select(movedColumns)
    .select(ownerStatus)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}
