/**
 * Downloads by links that have only so many views. A download over a bad connection is resumed by requests for the rest:
 * those of one client within ten minutes take one view together.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { ShareRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';

/** From the view that was taken on, however often the download is resumed. */
const resumeSeconds = 600;

/** `client`: the key of its address. */
export interface Download {
  shareId: number;
  client: string;
}

/** Whether the client has taken a view lately whose download it may resume. */
export async function isResumable({ db, clock }: Deps, download: Download): Promise<boolean> {
  const found = await db.kysely
    .selectFrom('share_downloads')
    .select('share_id')
    .where('share_id', '=', download.shareId)
    .where('client', '=', download.client)
    .where((is) => is.between('until_time', ...windowAt(clock())))
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Takes a view, or resumes a download for nothing where `isRange` says that only a part is asked for. Returns whether a
 * view was taken. Throws shareNotFound where none is left.
 */
export function admitDownload({ db, clock }: Deps, download: Download, isRange: boolean): Promise<boolean> {
  const now = clock();
  return db.kysely.transaction().execute(async (transaction) => {
    await lockShare(transaction, download.shareId);
    if (isRange && (await countUp(transaction, download, 'resumed', now))) return false;
    const taken = await transaction
      .updateTable('shares')
      .set({ views: sql<number>`views + 1`, last_view_time: now })
      .where('id', '=', download.shareId)
      .where((is) => is.or([is('max_views', 'is', null), is('views', '<', is.ref('max_views'))]))
      .executeTakeFirst();
    if (taken.numUpdatedRows === 0n) throw errors.shareNotFound();
    // The end stays: who takes views and gives them back must not put it off.
    if (await countUp(transaction, download, 'taken', now)) return true;
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
 * Gives back the view of a download of which nothing was sent. Not the last one that the client has taken, where another
 * of its requests has gone on with it.
 */
export function giveDownloadBack({ db }: Deps, { shareId, client }: Download): Promise<void> {
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

/** Returns whether the client has begun a download that is not over. */
async function countUp(
  transaction: Transaction,
  { shareId, client }: Download,
  column: 'taken' | 'resumed',
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('share_downloads')
    .set({ [column]: sql<number>`${sql.ref(column)} + 1` })
    .where('share_id', '=', shareId)
    .where('client', '=', client)
    .where((is) => is.between('until_time', ...windowAt(now)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Between which times a download ends that may be resumed now; later ones are of a clock that was ahead. */
function windowAt(now: number): [number, number] {
  return [now + 1, now + resumeSeconds];
}

/** Requests of one download may come at the same time: one of them takes the view. */
async function lockShare(transaction: Transaction, id: ShareRow['id']): Promise<void> {
  await transaction.selectFrom('shares').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Deletes the rows that allow no resuming any more, also those of a clock that was wrong. */
export async function deleteOldDownloads({ db, clock }: Deps): Promise<void> {
  await db.kysely
    .deleteFrom('share_downloads')
    .where((is) => is.not(is.between('until_time', ...windowAt(clock()))))
    .execute();
}
