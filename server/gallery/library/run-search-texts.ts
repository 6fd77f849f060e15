/**
 * Rewrites the search texts and sort keys of photos of an earlier version, a few photos per transaction. A setting
 * has the highest id that remains, so a restarted server continues there.
 */
import type { Deps } from '../../deps.ts';
import { createBackgroundJob } from '../../platform/concurrency/job.ts';
import { logLevelFor } from '../../platform/db/dialect.ts';
import { deleteSetting, findSetting, searchTextsLeftSetting } from '../../platform/db/settings.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { lockPhoto } from './locks.ts';
import { indexLockedPhotos } from './search-index.ts';
import { createTitleKey } from './search-text.ts';

const idleMs = 60_000;
const photosAtOnce = 10;

/** Starts the background job and returns a function that stops the job. */
export function startSearchTexts(deps: Deps): () => Promise<void> {
  const job = createBackgroundJob({
    run: async (stop) => {
      while (!stop.aborted && (await renewSearchTexts(deps)));
    },
    onError: (error) =>
      deps.log[logLevelFor(error)]({ err: error }, 'renewing search texts failed, and is tried again soon'),
    everyMs: idleMs,
  });
  job.start();
  return job.stop;
}

/** Renews a few photos. Returns false if no photo of an earlier version remains. */
export async function renewSearchTexts({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const left = await findSetting(db, searchTextsLeftSetting);
  if (left === undefined) return false;
  const found = await db.kysely
    .selectFrom('photos')
    .select(['id', 'user_id'])
    .where('id', '<=', Number(left))
    .orderBy('id', 'desc')
    .limit(photosAtOnce)
    .execute();
  const [first] = found;
  if (!first) {
    await deleteSetting(db, searchTextsLeftSetting);
    return false;
  }
  const end = found.findIndex(({ user_id }) => user_id !== first.user_id);
  const ids = found.slice(0, end < 0 ? found.length : end).map(({ id }) => id);
  await db.kysely.transaction().execute(async (transaction) => {
    await db.lock(transaction, { library: first.user_id });
    for (const id of ids) await renewPhoto({ db }, transaction, id);
    await transaction
      .updateTable('settings')
      .set({ value: String(ids.at(-1)! - 1) })
      .where('name', '=', searchTextsLeftSetting)
      .execute();
  });
  return true;
}

async function renewPhoto({ db }: Pick<Deps, 'db'>, transaction: Transaction, id: number): Promise<void> {
  if (!(await lockPhoto(transaction, id))) return;
  const { title } = await transaction
    .selectFrom('photos')
    .select('title')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('photos')
    .set({ title_key: createTitleKey(title) })
    .where('id', '=', id)
    .execute();
  await indexLockedPhotos({ db }, transaction, id);
}
