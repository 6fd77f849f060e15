/**
 * Ties a database to its storage, so that neither is used with a part of another gallery. A new database takes a
 * storage without photos. A storage with photos needs `lightwell adopt` (ADR 21).
 */
import { sql } from 'kysely';
import type { OpenedDatabase } from '../db/dialect.ts';
import { findSetting, findUnfinishedTransfer, insertSettingIfAbsent } from '../db/settings.ts';
import { StorageUnusable } from '../errors/storage.ts';
import type { Storage } from '../storage/storage.ts';
import { adoptStorageEpoch } from './storage-epoch.ts';

export const claimedStorageSetting = 'storage';

/**
 * Claims the storage for this database. Throws when the database is still being filled or belongs to another storage.
 * Throws also when the database has no storage yet and the storage holds photos. Otherwise the maintenance run would
 * treat all objects of a foreign storage as orphans.
 */
export async function claimStorage(db: OpenedDatabase, storage: Storage): Promise<void> {
  const unfinished = await findUnfinishedTransfer(db.kysely);
  if (unfinished) {
    throw new StorageUnusable(
      `A ${unfinished.work} into this gallery is unfinished, so photos may be missing. Run ` +
        `lightwell ${unfinished.work} again with the same options; it continues where it stopped.`,
    );
  }
  await refuseForeignPhotos(db, storage);
  if ((await findStorageClaim(db)) === undefined) await adoptStorageEpoch(db, storage);
  const expected = await insertSettingIfAbsent(db, claimedStorageSetting, storage.id);
  if (expected === storage.id) return;
  throw new StorageUnusable(
    `The storage ${storage.location} does not belong to the database ${db.location}: their ids differ. ` +
      'Is a volume not mounted, or is DATA_DIR, STORAGE_URL or DATABASE_URL wrong? If the photos ' +
      `were moved without their marker, write ${expected} into ${storage.marker}.`,
  );
}

/**
 * Throws when the database has no storage yet and this storage holds photos. Works before the schema is created, too.
 */
export async function refuseForeignPhotos(db: OpenedDatabase, storage: Storage): Promise<void> {
  if ((await findStorageClaim(db)) !== undefined || !(await hasStoredObjects(storage))) return;
  // Another process may have claimed the storage meanwhile and stored the first upload.
  if ((await findStorageClaim(db)) === undefined) throw foreignPhotosError(db.location, storage);
}

export function foreignPhotosError(database: string, storage: Storage): StorageUnusable {
  return new StorageUnusable(
    `The database ${database} has never been used with the storage ${storage.location}, which ` +
      'already holds photos. Is this the wrong database, or is the right one lost, not mounted or ' +
      'not restored yet? To see what happens if you use the two together, run: lightwell adopt',
  );
}

/** Returns the id of the database's storage. Undefined when the database has no storage or no schema. */
export async function findStorageClaim(db: OpenedDatabase): Promise<string | undefined> {
  if (!(await hasGallerySchema(db))) return undefined;
  return findSetting(db, claimedStorageSetting);
}

/**
 * Whether the database has the tables of a gallery, in any schema version. Asks for names of tables only: reading the
 * columns fails while another process drops a column in a migration.
 */
export async function hasGallerySchema(db: Pick<OpenedDatabase, 'kysely' | 'name'>): Promise<boolean> {
  const wanted = sql.join(['settings', 'images', 'users']);
  const tables =
    db.name === 'sqlite'
      ? sql`sqlite_schema WHERE type = 'table' AND name IN (${wanted})`
      : sql`information_schema.tables
          WHERE table_schema = ANY (current_schemas(false)) AND table_name IN (${wanted})`;
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${tables}`.execute(db.kysely);
  return rows[0]!.n === 3;
}

/** Whether the storage holds any object of a gallery. Other content of a bucket does not count. */
export async function hasStoredObjects(storage: Storage): Promise<boolean> {
  for await (const names of storage.list()) if (names.length > 0) return true;
  return false;
}
