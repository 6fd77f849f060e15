/**
 * Queues background jobs after a change of visibility: photo rows follow their album or their owner's account, and
 * the search index follows the rows. The transaction that makes the change also writes the job, so a crash loses no
 * job. The file run-visibility-jobs.ts runs the jobs.
 */
import type { Selectable } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { VisibilityJobsTable } from '../../platform/db/tables-queries.ts';
import { asLibraryWriter } from './tables.ts';

export type VisibilityJob = Selectable<VisibilityJobsTable>;
type VisibilityJobKind = VisibilityJob['kind'];

/** Name of the event that the database emits after the commit of a transaction that queued visibility jobs. */
export const visibilityJobQueuedEvent = 'visibility job';

/**
 * Queues visibility jobs in the transaction that changes visibility. `ids` are accounts, albums or photos of the
 * user.
 */
export async function addVisibilityJobs(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  kind: VisibilityJobKind,
  userId: number,
  ids: number[],
): Promise<void> {
  await asLibraryWriter(transaction)
    .insertInto('visibility_jobs')
    .values(ids.map((id) => ({ kind, id, user_id: userId })))
    // Update an existing row, so that the row is locked and a process that is about to delete it waits for this
    // change.
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ user_id: userId }))
    .execute();
  db.signal(transaction, visibilityJobQueuedEvent);
}

/**
 * Deletes the visibility jobs of accounts, albums or photos (`ids`, as given by `kind`). Returns the number of deleted
 * jobs.
 */
export async function removeVisibilityJobs(
  transaction: Transaction,
  kind: VisibilityJobKind,
  ids: number[],
): Promise<number> {
  const { numDeletedRows } = await asLibraryWriter(transaction)
    .deleteFrom('visibility_jobs')
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
