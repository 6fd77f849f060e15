/** Target of a move or restore: an empty location, or one that an interrupted run of the same work began to fill. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BulkDatabase, type BulkReader, quoteName, withReader } from '../../platform/db/bulk.ts';
import { bulkDatabase, type Database, openDatabase } from '../../platform/db/index.ts';
import {
  arrivedSetting,
  findSetting,
  markFinished,
  setSetting,
  type Unfinished,
  unfinishedSetting,
} from '../../platform/db/settings.ts';
import { updateStatistics } from '../../platform/db/statistics.ts';
import { holdsObjects, storageSetting } from '../../platform/ownership/claim.ts';
import { writeFirstStorageEpoch } from '../../platform/ownership/storage-epoch.ts';
import { openStorage } from '../../platform/storage/open.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { MoveError } from './errors.ts';
import type { OwnSettings } from './fill.ts';
import { findSettingIn, type GalleryLocation, selectStorageOptions } from './gallery-location.ts';
import { treatments } from './tables.ts';

export interface TransferTarget {
  storage: Storage;
  rows: BulkDatabase;
  own: OwnSettings;
  /** Completes the target, so that a server can start with it. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the target. `upTo` is the last migration that the rows have. Throws MoveError, before any change, if the
 * location is used for something else.
 */
export async function openTarget(
  home: GalleryLocation,
  unfinished: Unfinished,
  upTo?: string,
): Promise<TransferTarget> {
  const { dataDir, databaseUrl: url, databaseLimits } = home;
  const rows = await bulkDatabase({ dataDir, url });
  const isOurs = await checkDatabase(home, rows, unfinished);
  const storage = await openStorage(selectStorageOptions(home));
  if (!isOurs && (await holdsObjects(storage))) {
    throw new MoveError('the target storage already holds photos; it must be empty');
  }
  const limits = databaseLimits && { limits: databaseLimits };
  const database = await openDatabase({ dataDir, url, ...limits, onError: () => {}, upTo });
  let epoch: OwnSettings;
  try {
    await checkStorage(database, storage, isOurs);
    await setSetting(database, unfinishedSetting, JSON.stringify(unfinished));
    epoch = await writeFirstStorageEpoch(storage);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    storage,
    rows,
    own: {
      [storageSetting]: storage.id,
      [unfinishedSetting]: JSON.stringify(unfinished),
      ...epoch,
    },
    async finish() {
      await updateStatistics(database, { isBulk: true });
      await markFinished(database.kysely);
    },
    close: () => database.close(),
  };
}

/**
 * Returns true if an earlier run of the same work filled the database, and false if the database is empty. Otherwise
 * throws MoveError.
 */
async function checkDatabase(
  home: GalleryLocation,
  rows: BulkDatabase,
  unfinished: Unfinished,
): Promise<boolean> {
  if (!home.databaseUrl && !existsSync(join(home.dataDir, 'lightwell.db'))) return false;
  return withReader(rows, async (reader) => {
    const tables = await reader.tables();
    if (tables.some(({ name }) => name === 'settings')) {
      const mark = await findSettingIn(reader, unfinishedSetting);
      if (mark === JSON.stringify(unfinished)) return true;
      if ((await findSettingIn(reader, arrivedSetting)) === JSON.stringify(unfinished)) {
        throw new MoveError(`this ${unfinished.work} is already complete: the gallery is ready there`);
      }
      if (mark)
        throw new MoveError(
          'the target database belongs to an unfinished move or restore from another source',
        );
    }
    const filled = await firstFilled(reader, tables);
    if (!filled) return false;
    throw new MoveError(`the target database is not empty: its table ${filled} has rows`);
  });
}

/**
 * Returns the first table with rows. Settings do not count, because a server that was started once has written some.
 */
async function firstFilled(reader: BulkReader, tables: { name: string }[]): Promise<string | undefined> {
  for (const { name } of tables) {
    if (name === 'settings' || treatments[name] === 'left') continue;
    for await (const rows of reader.query(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`))
      if (rows.length > 0) return name;
  }
  return undefined;
}

/**
 * Throws MoveError if database and storage are not the pair of the earlier run. Stores the storage's id in the
 * database.
 */
async function checkStorage(db: Database, { id }: Storage, isOurs: boolean): Promise<void> {
  const claim = await findSetting(db, storageSetting);
  if (isOurs && claim !== undefined && claim !== id) {
    throw new MoveError('the target storage is not the one of the unfinished move');
  }
  await setSetting(db, storageSetting, id);
}
