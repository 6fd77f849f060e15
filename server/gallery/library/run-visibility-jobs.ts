/**
 * Works on the jobs of visibility-jobs.ts: a batch in each transaction, other writers in between. Readers do not wait
 * for it: they ask the album and the account themselves (visible.ts). Why: docs/adr/0028-the-kernel.md.
 */
import type { Deps } from '../../deps.ts';
import { createJob } from '../../platform/concurrency/job.ts';
import { levelOf } from '../../platform/db/dialect.ts';
import { followAccount, followAlbum } from './follow.ts';
import { indexPhoto } from './search-index.ts';
import { removeVisibilityJobs, visibilityJobWritten } from './visibility-jobs.ts';

/** How often the job looks for rows that another process left. */
const idleMs = 5000;
const jobsAtOnce = 20;
/** Each takes six statements, and other writers wait for them. */
const textsAtOnce = 10;

/** Works until the function that it returns is called; that resolves when the batch under way has ended. */
export function startVisibilityJobs(deps: Deps): () => Promise<void> {
  const job = createJob({
    run: async (stop) => {
      await runVisibilityJobs(deps, stop);
    },
    onError: (error) =>
      deps.log[levelOf(error)]({ err: error }, 'changes of visibility are tried again soon'),
    on: { events: deps.db.events, event: visibilityJobWritten },
    everyMs: idleMs,
  });
  job.start();
  return job.stop;
}

/**
 * Takes a batch of each job in turn until none is left; the search index comes last. Several processes may run it at
 * once. Throws when jobs failed, after the others are done. Returns false if it was stopped.
 */
export async function runVisibilityJobs(deps: Deps, stop?: AbortSignal): Promise<boolean> {
  const failures = new Map<string, unknown>();
  for (;;) {
    const jobs = await findJobs(deps, failures);
    for (const job of jobs) {
      if (stop?.aborted) return false;
      const follow = job.kind === 'account' ? followAccount : followAlbum;
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

/** Writes the index rows of some photos of one owner; returns how many. */
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
    // Waits here while an album is being hidden, and holds no photo meanwhile.
    await db.lock(transaction, { library: first.user_id });
    for (const id of ids) await indexPhoto({ db }, transaction, id);
    await removeVisibilityJobs(transaction, 'photo', ids);
  });
  return ids.length;
}
