/**
 * Jobs that a change of visibility leaves: rows of photos follow their album or their owner's account, and the search
 * index follows rows. The transaction of the change writes the job, so a crash loses nothing. run-visibility-jobs.ts
 * works on the jobs.
 */
import type { Selectable } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { VisibilityJobsTable } from '../../platform/db/tables-queries.ts';
import { writing } from './tables.ts';

export type VisibilityJob = Selectable<VisibilityJobsTable>;
type Kind = VisibilityJob['kind'];

/** The database emits this event when a transaction that wrote jobs has ended. */
export const visibilityJobWritten = 'visibility job';

/** In the transaction of the change. `ids`: accounts, albums or photos of the user. */
export async function addVisibilityJobs(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  kind: Kind,
  userId: number,
  ids: number[],
): Promise<void> {
  await writing(transaction)
    .insertInto('visibility_jobs')
    .values(ids.map((id) => ({ kind, id, user_id: userId })))
    // An existing row is locked, so that a process that is about to delete it waits for this change.
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ user_id: userId }))
    .execute();
  db.signal(transaction, visibilityJobWritten);
}

/** Returns the number of deleted rows. */
export async function removeVisibilityJobs(
  transaction: Transaction,
  kind: Kind,
  ids: number[],
): Promise<number> {
  const { numDeletedRows } = await writing(transaction)
    .deleteFrom('visibility_jobs')
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
