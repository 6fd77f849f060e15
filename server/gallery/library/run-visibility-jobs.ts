/**
 * Runs the background jobs of visibility-jobs.ts, one batch per transaction, so that other writers can run in
 * between. Readers do not wait for the jobs, because their queries check the album and the account (visibility-sql.ts).
 * The record docs/adr/0028-the-kernel.md has the reasons.
 */
import type { Deps } from '../../deps.ts';
import { createBackgroundJob } from '../../platform/concurrency/job.ts';
import { logLevelFor } from '../../platform/db/dialect.ts';
import { updateAccountVisibilityBatch, updateAlbumVisibilityBatch } from './follow.ts';
import { indexPhoto } from './search-index.ts';
import { removeVisibilityJobs, visibilityJobQueuedEvent } from './visibility-jobs.ts';

/** Milliseconds after which the job checks for visibility jobs that another process queued. */
const idleMs = 5000;
const jobsAtOnce = 20;
/**
 * Number of photos that one transaction indexes. Each photo takes six statements, and other writers wait meanwhile.
 */
const textsAtOnce = 10;

/**
 * Starts the background job and returns a function that stops the job. The promise of that function resolves when
 * the current batch has ended.
 */
export function startVisibilityJobs(deps: Deps): () => Promise<void> {
  const job = createBackgroundJob({
    run: async (stop) => {
      await runVisibilityJobs(deps, stop);
    },
    onError: (error) =>
      deps.log[logLevelFor(error)]({ err: error }, 'a change of visibility failed, and is tried again soon'),
    on: { events: deps.db.events, event: visibilityJobQueuedEvent },
    everyMs: idleMs,
  });
  job.start();
  return job.stop;
}

/**
 * Runs one batch of each job in turn until no job is left, and updates the search index last. Several processes can
 * run at once. Throws an AggregateError after the other jobs have finished if some jobs failed. Returns false if
 * `stop` was aborted.
 */
export async function runVisibilityJobs(deps: Deps, stop?: AbortSignal): Promise<boolean> {
  const failures = new Map<string, unknown>();
  for (;;) {
    const jobs = await findJobs(deps, failures);
    for (const job of jobs) {
      if (stop?.aborted) return false;
      const follow = job.kind === 'account' ? updateAccountVisibilityBatch : updateAlbumVisibilityBatch;
      await follow(deps, job).catch((error: unknown) => failures.set(`${job.kind} ${job.id}`, error));
    }
    if (stop?.aborted) return false;
    if (jobs.length === 0 && (await indexSome(deps)) === 0) break;
  }
  if (failures.size === 0) return true;
  throw new AggregateError(failures.values(), `visibility jobs failed: ${[...failures.keys()].join(', ')}`);
}

async function findJobs({ db }: Deps, failures: Map<string, unknown>) {
  const jobs = await db.kysely
    .selectFrom('visibility_jobs')
    .select(['kind', 'id', 'user_id'])
    .where('kind', 'in', ['account', 'album'])
    .orderBy('kind')
    .orderBy('id')
    .limit(jobsAtOnce + failures.size)
    .execute();
  return jobs.filter(({ kind, id }) => !failures.has(`${kind} ${id}`));
}

/** Writes the search index rows of a few photos of one owner. Returns the number of photos. */
async function indexSome({ db }: Deps): Promise<number> {
  const waiting = await db.kysely
    .selectFrom('visibility_jobs')
    .select(['id', 'user_id'])
    .where('kind', '=', 'photo')
    .orderBy('id')
    .limit(textsAtOnce)
    .execute();
  const [first] = waiting;
  if (!first) return 0;
  const ids = waiting.filter(({ user_id }) => user_id === first.user_id).map(({ id }) => id);
  await db.kysely.transaction().execute(async (transaction) => {
    // Wait for the library's lock before locking photos: a transaction that hides an album may hold it for long.
    await db.lock(transaction, { library: first.user_id });
    for (const id of ids) await indexPhoto({ db }, transaction, id);
    await removeVisibilityJobs(transaction, 'photo', ids);
  });
  return ids.length;
}
