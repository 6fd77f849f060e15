/**
 * Deletes links that expired 90 days ago. Until then, their creators see the expired links in the list of their links.
 */
import type { Deps } from '../../deps.ts';
import { inBatches, rowsPerBatch, type StopSignal } from '../../platform/db/batches.ts';
import { yieldPagesByColumn } from '../../platform/db/pages.ts';
import { idsOf } from '../../platform/db/rows.ts';

const expiredSeconds = 90 * 86_400;

/** Deletes links that expired long ago and returns their number. */
export async function purgeExpiredShares({ db, clock }: Deps, stop: StopSignal): Promise<number> {
  const due = clock() - expiredSeconds;
  const expired = db.slow().selectFrom('shares').select('id').where('expire_time', '<=', due);
  return inBatches(stop, yieldPagesByColumn(expired, 'id', 'id', 0, rowsPerBatch), async (rows) => {
    const ids = idsOf(rows);
    await db.kysely.deleteFrom('shares').where('id', 'in', ids).where('expire_time', '<=', due).execute();
    return ids.length;
  });
}
