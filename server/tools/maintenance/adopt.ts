/** Connects a database to a storage that already contains photos, for `lightwell adopt`. */
import type { OpenedDatabase } from '../../platform/db/dialect.ts';
import { countRows } from '../../platform/db/rows.ts';
import { findUnfinishedTransfer, setSetting } from '../../platform/db/settings.ts';
import { StorageUnusable } from '../../platform/errors/storage.ts';
import { claimedStorageSetting, findStorageClaim, hasGallerySchema } from '../../platform/ownership/claim.ts';
import { setDeletionLock } from '../../platform/ownership/deletion-lock.ts';
import { readStorageEpochRow } from '../../platform/ownership/storage-epoch.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { filterUnusedObjects, listObjectNamesInBatches } from './orphans.ts';

export interface StorageSurvey {
  /** Id of the storage that the database belongs to so far. */
  claim: string | undefined;
  /** Number of objects in the storage. `withoutRow` is the number of objects that no row of the database names. */
  objects: number;
  withoutRow: number;
  /**
   * Number of image versions in the database. `imagesFound` is the number of versions whose main object is in the
   * storage.
   */
  images: number;
  imagesFound: number;
}

/**
 * Compares a database with a storage and changes nothing. `db` is undefined if no database exists. Its schema may be
 * missing or outdated.
 */
export async function surveyStorage(
  db: OpenedDatabase | undefined,
  storage: Storage,
): Promise<StorageSurvey> {
  const claim = db && (await findStorageClaim(db));
  const found: StorageSurvey = { claim, objects: 0, withoutRow: 0, images: 0, imagesFound: 0 };
  const hasRows = db !== undefined && (await hasGallerySchema(db));
  if (hasRows) found.images = await countRows(db.kysely.selectFrom('images'));
  for await (const names of listObjectNamesInBatches(storage)) {
    const unknown = new Set(hasRows ? await filterUnusedObjects({ db }, names) : names);
    found.objects += names.length;
    found.withoutRow += unknown.size;
    // Only originals and edited images are counted, because every image version has exactly one such object.
    found.imagesFound += names.filter(
      (name) => !unknown.has(name) && /\.(original|edit)\./.test(name),
    ).length;
  }
  return found;
}

/**
 * Connects the database and the storage, so that a server starts with both. Sets the deletion lock, so that no object
 * is deleted before an operator has checked the result.
 */
export async function adoptStorage(
  db: OpenedDatabase,
  storage: Storage,
  { objects, withoutRow }: StorageSurvey,
  clock: Clock,
): Promise<void> {
  const settings = { [claimedStorageSetting]: storage.id, ...(await readStorageEpochRow(storage)) };
  await db.kysely.transaction().execute(async (transaction) => {
    if (await findUnfinishedTransfer(transaction)) {
      throw new StorageUnusable('A move or restore into this database is unfinished. Run it again.');
    }
    await setDeletionLock(
      { db: { kysely: transaction } },
      { reason: 'adopted', since: clock(), objects, orphans: withoutRow },
    );
    for (const [name, value] of Object.entries(settings)) {
      await setSetting({ kysely: transaction }, name, value);
    }
  });
}
