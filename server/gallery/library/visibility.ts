/** A photo's effective visibility, and the exact totals that follow it. */
import { sql, type Transaction } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { PhotoRow, Tables, Visibility } from '../../platform/db/tables.ts';
import { addToAlbum, countsBetween } from './counts.ts';
import { ownerStatus } from './visible.ts';

/**
 * Public only when the photo says so, its album, if any, and all above that are public too, and its owner's account
 * is enabled.
 */
export function effectiveVisibility(
  photo: { is_public: number; owner_status: number },
  album: { visibility: number } | undefined,
): Visibility {
  return photo.is_public === 1 && photo.owner_status === 1 && (album?.visibility ?? 2) === 2 ? 2 : 1;
}

/** The row of totals that counts everybody's photos. */
export const everybody = 0;

/**
 * Adds to the totals of the owner and of everybody. Rows are always touched in the same order, so that two
 * transactions cannot wait for each other.
 */
export async function addToTotals(
  transaction: Transaction<Tables>,
  userId: number,
  changes: Partial<Record<Visibility, number>>,
): Promise<void> {
  for (const user of [everybody, userId]) {
    for (const visibility of [0, 1, 2] as const) {
      const n = changes[visibility] ?? 0;
      if (n === 0) continue;
      await transaction
        .insertInto('photo_totals')
        .values({ user_id: user, visibility, n })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'visibility']).doUpdateSet({ n: sql<number>`photo_totals.n + ${n}` }),
        )
        .execute();
    }
  }
}

/** With whether its owner is disabled. */
export type OwnedPhotoRow = PhotoRow & { owner_status: number };

/**
 * Reads a photo's row and keeps it for this transaction: an update that changes nothing is the lock that both
 * databases know. Undefined when there is no such photo.
 */
export function lockPhoto(transaction: Transaction<Tables>, id: number): Promise<OwnedPhotoRow | undefined> {
  return transaction
    .updateTable('photos')
    .set((is) => ({ update_time: is.ref('update_time') }))
    .where('id', '=', id)
    .returningAll()
    .returning(ownerStatus)
    .executeTakeFirst();
}

/**
 * Locks a photo whose visibility or album is to change: its owner's library first, as whatever changes albums does,
 * so that a photo is never placed by what an album said before. Undefined when there is no such photo.
 */
export async function lockPhotoToMove(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction<Tables>,
  id: number,
): Promise<OwnedPhotoRow | undefined> {
  // A photo's owner never changes: it can be read before anything is locked.
  const owner = await transaction
    .selectFrom('photos')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!owner) return undefined;
  await db.lockLibrary(transaction, owner.user_id);
  return lockPhoto(transaction, id);
}

/** Moves one photo, locked by `lockPhotoToMove`, to another visibility, in every place that repeats it. */
export async function moveVisibility(
  transaction: Transaction<Tables>,
  photo: Pick<PhotoRow, 'id' | 'user_id' | 'visibility' | 'album_id'>,
  to: Visibility,
): Promise<void> {
  if (photo.visibility === to) return;
  await transaction.updateTable('photos').set({ visibility: to }).where('id', '=', photo.id).execute();
  await addToAlbum(transaction, photo.album_id, countsBetween(photo.visibility, to));
  await transaction
    .updateTable('photo_tags')
    .set({ visibility: to })
    .where('photo_id', '=', photo.id)
    .execute();
  await addToTotals(transaction, photo.user_id, { [photo.visibility as Visibility]: -1, [to]: 1 });
}
