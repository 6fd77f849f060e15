/**
 * Downloads through links with a limited number of views. A client may resume a broken download with range requests.
 * Range requests within ten minutes after a counted view of the same client count no further view.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { ShareRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';

/** Seconds after the counted view in which a client can resume the download. Resuming does not extend the time. */
const resumeSeconds = 600;

/** A download through a link. `client` is a key made from the client's IP address. */
export interface ShareDownload {
  shareId: number;
  client: string;
}

/** Returns true if the client recently used a view for a download and may resume that download. */
export async function canResumeShareDownload({ db, clock }: Deps, download: ShareDownload): Promise<boolean> {
  const found = await db.kysely
    .selectFrom('share_downloads')
    .select('share_id')
    .where('share_id', '=', download.shareId)
    .where('client', '=', download.client)
    .where((is) => is.between('until_time', ...resumableEndTimes(clock())))
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Counts a view, or resumes a download without counting if `isRange` is true. Returns true if a view was counted.
 * Throws shareNotFound if no views are left.
 */
export function admitShareDownload(
  { db, clock }: Deps,
  download: ShareDownload,
  isRange: boolean,
): Promise<boolean> {
  const now = clock();
  return db.kysely.transaction().execute(async (transaction) => {
    await lockShare(transaction, download.shareId);
    if (isRange && (await incrementCounter(transaction, download, 'resumed', now))) return false;
    const taken = await transaction
      .updateTable('shares')
      .set({ views: sql<number>`views + 1`, last_view_time: now })
      .where('id', '=', download.shareId)
      .where((is) => is.or([is('max_views', 'is', null), is('views', '<', is.ref('max_views'))]))
      .executeTakeFirst();
    if (taken.numUpdatedRows === 0n) throw errors.shareNotFound();
    // A second view does not extend the time for resuming, because a client could otherwise extend that time by
    // starting and canceling downloads.
    if (await incrementCounter(transaction, download, 'taken', now)) return true;
    const row = { until_time: now + resumeSeconds, taken: 1, resumed: 0 };
    await transaction
      .insertInto('share_downloads')
      .values({ share_id: download.shareId, client: download.client, ...row })
      .onConflict((conflict) => conflict.columns(['share_id', 'client']).doUpdateSet(row))
      .execute();
    return true;
  });
}

/**
 * Refunds the view of a download that sent no bytes. The client's last view is not refunded if another of its requests
 * has resumed the download.
 */
export function refundShareDownload({ db }: Deps, { shareId, client }: ShareDownload): Promise<void> {
  return db.kysely.transaction().execute(async (transaction) => {
    await lockShare(transaction, shareId);
    const { numUpdatedRows } = await transaction
      .updateTable('share_downloads')
      .set({ taken: sql<number>`taken - 1` })
      .where('share_id', '=', shareId)
      .where('client', '=', client)
      .where((is) => is.or([is('taken', '>', 1), is('resumed', '=', 0)]))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await transaction
      .deleteFrom('share_downloads')
      .where('share_id', '=', shareId)
      .where('taken', '=', 0)
      .execute();
    await transaction
      .updateTable('shares')
      .set({ views: sql<number>`views - 1` })
      .where('id', '=', shareId)
      .where('views', '>', 0)
      .execute();
  });
}

/** Increments a counter of the client's current download. Returns false if the client has no current download. */
async function incrementCounter(
  transaction: Transaction,
  { shareId, client }: ShareDownload,
  column: 'taken' | 'resumed',
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('share_downloads')
    .set({ [column]: sql<number>`${sql.ref(column)} + 1` })
    .where('share_id', '=', shareId)
    .where('client', '=', client)
    .where((is) => is.between('until_time', ...resumableEndTimes(now)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Returns the range of end times of downloads that can be resumed now. Later end times come from a clock that was
 * ahead.
 */
function resumableEndTimes(now: number): [number, number] {
  return [now + 1, now + resumeSeconds];
}

/**
 * Locks the share, because requests of one download can arrive at the same time and only one of them may count a view.
 */
async function lockShare(transaction: Transaction, id: ShareRow['id']): Promise<void> {
  await transaction.selectFrom('shares').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Deletes rows of downloads that can no longer be resumed, including rows from a wrong clock. */
export async function deleteOldShareDownloads({ db, clock }: Deps): Promise<void> {
  await db.kysely
    .deleteFrom('share_downloads')
    .where((is) => is.not(is.between('until_time', ...resumableEndTimes(clock()))))
    .execute();
}
