/** Links that ended long ago go: until then their owner sees in the list that they have. */
import type { Deps } from '../../deps.ts';
import { batchSize, inBatches, type Stop } from '../../platform/db/batches.ts';

const expiredSeconds = 90 * 86_400;

/** Returns how many were removed. */
export async function forgetExpiredShares({ db, clock }: Deps, stop: Stop): Promise<number> {
  const due = clock() - expiredSeconds;
  return inBatches(stop, 0, {
    find: (after) =>
      db.slow
        .selectFrom('shares')
        .select('id as cursor')
        .where('expire_time', '<=', due)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batchSize)
        .execute(),
    async each(ids) {
      await db.kysely.deleteFrom('shares').where('id', 'in', ids).where('expire_time', '<=', due).execute();
      return ids.length;
    },
  });
}
