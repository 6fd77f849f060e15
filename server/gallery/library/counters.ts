/** Writes the rows that count a photo's views, likes and comments. The counter rows repeat the photo's visibility. */
import type { Kysely } from 'kysely';
import type { Visibility } from '../../platform/db/states.ts';
import type { PhotoRow, Tables, Transaction } from '../../platform/db/tables.ts';
import { asLibraryWriter } from './tables.ts';

/** Inserts the counter rows of a photo. Existing counter rows stay unchanged. */
export async function insertPhotoCounters(
  kysely: Kysely<Tables>,
  { id: photo_id, user_id, visibility }: Pick<PhotoRow, 'id' | 'user_id' | 'visibility'>,
): Promise<void> {
  await asLibraryWriter(kysely)
    .insertInto('photo_views')
    .values({ photo_id, visibility })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await asLibraryWriter(kysely)
    .insertInto('photo_counts')
    .values({ photo_id, user_id, visibility })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes the new visibility of locked photos into their counter rows. */
export async function setVisibilityOfCounters(
  transaction: Transaction,
  ids: number[],
  to: Visibility,
): Promise<void> {
  await lockViewCounters(transaction, ids);
  for (const table of ['photo_views', 'photo_counts'] as const) {
    await asLibraryWriter(transaction)
      .updateTable(table)
      .set({ visibility: to })
      .where('photo_id', 'in', ids)
      .execute();
  }
}

/**
 * Locks the view counters of photos in the order of their ids. Requests count views without locking the photo, so a
 * common order prevents deadlocks.
 */
export async function lockViewCounters(transaction: Transaction, ids: number[]): Promise<void> {
  await transaction
    .selectFrom('photo_views')
    .select('photo_id')
    .where('photo_id', 'in', ids)
    .orderBy('photo_id')
    .forUpdate()
    .execute();
}
