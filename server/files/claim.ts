/** Ties a database to its storage: neither works with another's other half. */
import type { Database } from '../db/index.ts';
import { StorageUnusable } from '../storage/errors.ts';
import type { Storage } from '../storage/index.ts';
import { keepSetting } from './settings.ts';
import { findUnfinished } from './unfinished.ts';

/** The setting that holds the id of the database's storage. */
export const storageSetting = 'storage';

/**
 * Throws when the database is still being filled, or was used with another storage before: with PostgreSQL nothing else tells the
 * server that its volume is not mounted. The sweep would take all objects of a foreign storage for left over.
 */
export async function claimStorage(db: Database, storage: Storage): Promise<void> {
  const unfinished = await findUnfinished(db.kysely);
  if (unfinished) {
    throw new StorageUnusable(
      `A ${unfinished.work} into this gallery has not ended: photos may be missing. ` +
        `Run lightwell ${unfinished.work} again, as it was run before; it goes on where it was.`,
    );
  }
  const expected = await keepSetting(db, storageSetting, storage.id);
  if (expected === storage.id) return;
  throw new StorageUnusable(
    'The storage is not the one that this database belongs to (their ids differ). ' +
      'Is a volume not mounted, or does DATA_DIR, STORAGE_URL or DATABASE_URL point elsewhere? ' +
      `If the photos were moved without their marker, write ${expected} into ${storage.marker}.`,
  );
}
