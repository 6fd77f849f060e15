/** Objects that the sweep removes from the storage, noted in the transaction that made them superfluous. */
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
