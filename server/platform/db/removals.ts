/**
 * Queue of removals: objects that the maintenance run deletes from the storage. A removal is written in the transaction
 * that makes its object unnecessary.
 */
import { StorageUnavailable } from '../errors/storage.ts';
import type { OpenedDatabase } from './dialect.ts';
import type { Transaction } from './tables.ts';

/** Queues objects for removal at `dueTime` in Unix seconds. An object that is queued already keeps its earlier time. */
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
 * Throws StorageUnavailable if the maintenance run has queued one of the objects for removal as an orphan. Called in
 * the transaction that writes rows for objects that were just stored. An object looks old enough for an orphan if a
 * clock jumped ahead or this process was suspended for a day.
 */
export async function refuseQueuedForRemoval(
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
