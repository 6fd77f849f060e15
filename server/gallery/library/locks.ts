/** Locks photos until the end of a transaction. */
import type { Deps } from '../../deps.ts';
import type { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { currentVisibilityColumn, photoOwnerStatusColumn } from './visibility-sql.ts';

/** Row of a photo with its owner's status and its current visibility, which decide who sees the photo. */
export type LockedPhoto = PhotoRow & { owner_status: UserStatus; visibility_now: Visibility };

/**
 * Locks a photo and returns its row, or undefined if the photo does not exist. Other transactions can still insert
 * rows that reference the photo.
 */
export function lockPhoto(transaction: Transaction, id: number): Promise<LockedPhoto | undefined> {
  return transaction
    .selectFrom('photos')
    .selectAll()
    .select([photoOwnerStatusColumn, currentVisibilityColumn])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Locks a photo whose visibility or album will change, and returns its row, or undefined if the photo does not
 * exist. Locks the owner's library first, so that the photo's album cannot change at the same time.
 */
export async function lockPhotoToMove(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  id: number,
): Promise<LockedPhoto | undefined> {
  // The owner of a photo never changes, so reading the owner needs no lock.
  const owner = await transaction
    .selectFrom('photos')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!owner) return undefined;
  await db.lock(transaction, { library: owner.user_id });
  return lockPhoto(transaction, id);
}

/** Columns of a photo that decide its visibility and its counts. */
export type MovedPhoto = Pick<
  LockedPhoto,
  'id' | 'user_id' | 'album_id' | 'level' | 'visibility' | 'owner_status'
>;

export const movedPhotoColumns = ['id', 'user_id', 'album_id', 'level', 'visibility'] as const;

/**
 * Maximum number of photos that one statement handles. Both databases limit the number of parameters, and
 * PostgreSQL also limits the time of a statement.
 */
export const maxPhotosPerStatement = 500;

/**
 * Locks photos in the order of their ids and returns their rows. Skips photos that do not exist. The caller has
 * locked the library.
 */
export function lockPhotos(transaction: Transaction, ids: number[]): Promise<MovedPhoto[]> {
  return transaction
    .selectFrom('photos')
    .select(movedPhotoColumns)
    .select(photoOwnerStatusColumn)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}
