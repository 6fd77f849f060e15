/** Deletes old notifications, so that users who never read theirs do not fill the database. */

import type { Deps } from '../../deps.ts';
import { inBatches, rowsPerBatch, type StopSignal } from '../../platform/db/batches.ts';
import { yieldPagesByColumn } from '../../platform/db/pages.ts';
import { idsOf } from '../../platform/db/rows.ts';
import { removeNotifications } from './notify.ts';

const readSeconds = 90 * 86_400;
const unreadSeconds = 365 * 86_400;

/**
 * Deletes notifications that were read 90 days ago or are one year old, and returns their number. Notifications of
 * likes and favorites stay, because the row of a photo's notification holds the last sequence number (group.ts).
 */
export async function purgeOldNotifications(deps: Deps, stop: StopSignal): Promise<number> {
  const { db, clock } = deps;
  const [read, unread] = [clock() - readSeconds, clock() - unreadSeconds];
  const old = db
    .slow()
    .selectFrom('notifications')
    .select('id')
    .where('create_time', '<=', read)
    .where((either) => either.or([either('is_read', '=', 1), either('create_time', '<=', unread)]))
    .where('type', 'not in', ['like', 'favorite']);
  return inBatches(stop, yieldPagesByColumn(old, 'id', 'id', 0, rowsPerBatch), async (rows) => {
    const ids = idsOf(rows);
    await db.kysely
      .transaction()
      .execute((transaction) => removeNotifications(transaction, (query) => query.where('id', 'in', ids)));
    return ids.length;
  });
}
