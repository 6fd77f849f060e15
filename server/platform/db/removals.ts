/** Objects that the sweep removes from the storage, noted in the transaction that made them superfluous. */
import { StorageUnavailable } from '../errors/storage.ts';
import type { OpenedDatabase } from './dialect.ts';
import type { Transaction } from './tables.ts';

/** What is noted already keeps its time. `dueTime` in Unix seconds. */
export async function queueRemovals(
  transaction: Transaction,
  objects: string[],
  dueTime: number,
): Promise<void> {
  if (objects.length === 0) return;
  await transaction
    .insertInto('removals')
    .values(objects.map((object) => ({ object, due_time: dueTime })))
    .onConflict((conflict) => conflict.column('object').doNothing())
    .execute();
}

/**
 * For rows of objects that were stored a moment ago, in the transaction that writes them. Throws StorageUnavailable where the search
 * for objects without a row has marked one of them since, and removed it: by a clock that jumped ahead, or after this
 * process stood still for a day, it was as old as what a crash leaves.
 */
export async function refuseMarked(
  db: Pick<OpenedDatabase, 'lock'>,
  transaction: Transaction,
  objects: string[],
): Promise<void> {
  await db.lock(transaction, 'objects, shared');
  const marked = await transaction
    .selectFrom('removals')
    .select('object')
    .where('object', 'in', objects)
    .limit(1)
    .executeTakeFirst();
  if (marked) throw new StorageUnavailable(new Error(`${marked.object} was removed`), 1);
}
