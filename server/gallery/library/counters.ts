/** The rows with a photo's counters, which repeat who sees it. */
import type { Kysely } from 'kysely';
import type { Visibility } from '../../platform/db/states.ts';
import type { PhotoRow, Tables, Transaction } from '../../platform/db/tables.ts';
import { writing } from './tables.ts';

/** Adds the counters of a photo. Rows that exist stay as they are. */
export async function addCounters(
  kysely: Kysely<Tables>,
  { id: photo_id, user_id, visibility }: Pick<PhotoRow, 'id' | 'user_id' | 'visibility'>,
): Promise<void> {
  await writing(kysely)
    .insertInto('photo_views')
    .values({ photo_id, visibility })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await writing(kysely)
    .insertInto('photo_counts')
    .values({ photo_id, user_id, visibility })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes the visibility of locked photos into their counters. */
export async function setVisibilityOfCounters(
  transaction: Transaction,
  ids: number[],
  to: Visibility,
): Promise<void> {
  await lockViews(transaction, ids);
  for (const table of ['photo_views', 'photo_counts'] as const) {
    await writing(transaction)
      .updateTable(table)
      .set({ visibility: to })
      .where('photo_id', 'in', ids)
      .execute();
  }
}

/** Views are counted without a lock of the photo. All transactions lock rows of views in the order of ids. */
export async function lockViews(transaction: Transaction, ids: number[]): Promise<void> {
  await transaction
    .selectFrom('photo_views')
    .select('photo_id')
    .where('photo_id', 'in', ids)
    .orderBy('photo_id')
    .forUpdate()
    .execute();
}
