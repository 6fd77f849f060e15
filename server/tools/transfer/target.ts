/** Target of a move or restore: an empty location, or one that an interrupted run of the same work began to fill. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BulkDatabase, type BulkReader, quoteName, withBulkReader } from '../../platform/db/bulk.ts';
import { bulkDatabase, type Database, openDatabase } from '../../platform/db/index.ts';
import {
  findSetting,
  finishedTransferSetting,
  markTransferFinished,
  setSetting,
  type UnfinishedTransfer,
  unfinishedTransferSetting,
} from '../../platform/db/settings.ts';
import { updatePlannerStatistics } from '../../platform/db/statistics.ts';
import { claimedStorageSetting, hasStoredObjects } from '../../platform/ownership/claim.ts';
import { writeFirstStorageEpoch } from '../../platform/ownership/storage-epoch.ts';
import { openStorage } from '../../platform/storage/open.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { TransferError } from './errors.ts';
import type { LocationSettings } from './fill.ts';
import { findSettingByReader, type GalleryLocation, selectStorageOptions } from './gallery-location.ts';
import { tableTreatments } from './tables.ts';

export interface TransferTarget {
  storage: Storage;
  rows: BulkDatabase;
  locationSettings: LocationSettings;
  /** Completes the target, so that a server can start with it. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the target. `upTo` is the last migration that the rows have. Throws TransferError, before any change, if the
 * location is used for something else.
 */
export async function openTarget(
  home: GalleryLocation,
  unfinished: UnfinishedTransfer,
  upTo?: string,
): Promise<TransferTarget> {
  const { dataDir, databaseUrl: url, databaseLimits } = home;
  const rows = await bulkDatabase({ dataDir, url });
  const isOurs = await checkDatabase(home, rows, unfinished);
  const storage = await openStorage(selectStorageOptions(home));
  if (!isOurs && (await hasStoredObjects(storage))) {
    throw new TransferError('the target storage already holds photos; it must be empty');
  }
  const limits = databaseLimits && { limits: databaseLimits };
  const database = await openDatabase({ dataDir, url, ...limits, onError: () => {}, upTo });
  let epoch: LocationSettings;
  try {
    await checkStorage(database, storage, isOurs);
    await setSetting(database, unfinishedTransferSetting, JSON.stringify(unfinished));
    epoch = await writeFirstStorageEpoch(storage);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    storage,
    rows,
    locationSettings: {
      [claimedStorageSetting]: storage.id,
      [unfinishedTransferSetting]: JSON.stringify(unfinished),
      ...epoch,
    },
    async finish() {
      await updatePlannerStatistics(database, { isBulk: true });
      await markTransferFinished(database.kysely);
    },
    close: () => database.close(),
  };
}

/**
 * Returns true if an earlier run of the same work filled the database, and false if the database is empty. Otherwise
 * throws TransferError.
 */
async function checkDatabase(
  home: GalleryLocation,
  rows: BulkDatabase,
  unfinished: UnfinishedTransfer,
): Promise<boolean> {
  if (!home.databaseUrl && !existsSync(join(home.dataDir, 'lightwell.db'))) return false;
  return withBulkReader(rows, async (reader) => {
    const tables = await reader.tables();
    if (tables.some(({ name }) => name === 'settings')) {
      const mark = await findSettingByReader(reader, unfinishedTransferSetting);
      if (mark === JSON.stringify(unfinished)) return true;
      if ((await findSettingByReader(reader, finishedTransferSetting)) === JSON.stringify(unfinished)) {
        throw new TransferError(`this ${unfinished.work} is already complete: the gallery is ready there`);
      }
      if (mark)
        throw new TransferError(
          'the target database belongs to an unfinished move or restore from another source',
        );
    }
    const filled = await firstFilled(reader, tables);
    if (!filled) return false;
    throw new TransferError(`the target database is not empty: its table ${filled} has rows`);
  });
}

/**
 * Returns the first table with rows. Settings do not count, because a server that was started once has written some.
 */
async function firstFilled(reader: BulkReader, tables: { name: string }[]): Promise<string | undefined> {
  for (const { name } of tables) {
    if (name === 'settings' || tableTreatments[name] === 'left') continue;
    for await (const rows of reader.query(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`))
      if (rows.length > 0) return name;
  }
  return undefined;
}

/**
 * Throws TransferError if database and storage are not the pair of the earlier run. Stores the storage's id in the
 * database.
 */
async function checkStorage(db: Database, { id }: Storage, isOurs: boolean): Promise<void> {
  const claim = await findSetting(db, claimedStorageSetting);
  if (isOurs && claim !== undefined && claim !== id) {
    throw new TransferError('the target storage is not the one of the unfinished move');
  }
  await setSetting(db, claimedStorageSetting, id);
}
