/**
 * The deletion lock: a row of `settings` that stops the deletion of objects. The maintenance run sets the lock when the
 * database may be the wrong one for its storage. Only an operator releases the lock, with `lightwell orphans` (ADR 21).
 */
import type { Kysely } from 'kysely';
import type { OpenedDatabase } from '../db/dialect.ts';
import { findJsonSetting, setSetting } from '../db/settings.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock } from '../process/clock.ts';
import type { Storage } from '../storage/storage.ts';
import { knowsStorageEpoch } from './storage-epoch.ts';

export const deletionLockSetting = 'brake';

/**
 * Reason for the deletion lock. `adopted`: the database took a storage that already held photos. `stamp`: the storage
 * epoch is unknown, so another database or a newer state of this one used the storage. `no-images`: the database has no
 * images or no accounts. `many`: too many objects have no row.
 */
export type DeletionLockReason = 'adopted' | 'stamp' | 'no-images' | 'many';

export interface DeletionLock {
  reason: DeletionLockReason;
  /** Time when the deletion lock was set, in Unix seconds. */
  since: number;
  /** Number of all objects, and of objects without a row, at the last count. Null before the first count. */
  objects: number | null;
  orphans: number | null;
}

interface DatabaseOwner {
  db: { kysely: Kysely<Tables> };
}

export function findDeletionLock({ db }: DatabaseOwner): Promise<DeletionLock | undefined> {
  return findJsonSetting(db, deletionLockSetting);
}

/**
 * Returns the deletion lock that is set, or the one that an unknown storage epoch requires. The result is correct even
 * before the first maintenance run on a restored database. Writes nothing. Throws when the storage cannot be read.
 */
export async function findOrDeriveDeletionLock({
  db,
  storage,
  clock,
}: {
  db: OpenedDatabase;
  storage: Storage;
  clock: Clock;
}): Promise<DeletionLock | undefined> {
  const deletionLock = await findDeletionLock({ db });
  if (blocksAllDeletion(deletionLock) || (await knowsStorageEpoch({ db, storage }))) return deletionLock;
  return { objects: null, orphans: null, ...deletionLock, reason: 'stamp', since: clock() };
}

export function setDeletionLock({ db }: DatabaseOwner, deletionLock: DeletionLock): Promise<void> {
  return setSetting(db, deletionLockSetting, JSON.stringify(deletionLock));
}

export async function releaseDeletionLock({ db }: DatabaseOwner): Promise<void> {
  await db.kysely.deleteFrom('settings').where('name', '=', deletionLockSetting).execute();
}

/**
 * Whether the lock also stops emptying the trash, removing old versions and carrying out removals. A wrong or older
 * database may call objects superfluous that are still needed. Too many orphans (`many`) are no reason for that.
 */
export function blocksAllDeletion(deletionLock: DeletionLock | undefined): boolean {
  return deletionLock !== undefined && deletionLock.reason !== 'many';
}

const deletionLockReasonTexts: Record<DeletionLockReason, string> = {
  adopted: 'the database has adopted a storage that already held photos',
  stamp:
    'another database, or another state of this one, has used the storage (was an older backup ' +
    'restored?)',
  'no-images': 'the database has no images or no accounts, but the storage holds objects',
  many: 'too many objects have no row in the database',
};

/** Describes the lock in one line for the log, the terminal and `lightwell check`. */
export function describeDeletionLock(deletionLock: DeletionLock): string {
  const counts =
    deletionLock.orphans === null
      ? ''
      : `; ${deletionLock.orphans} of ${deletionLock.objects} objects have no row`;
  const held = blocksAllDeletion(deletionLock)
    ? 'nothing is deleted'
    : 'objects without a row are not deleted';
  return `${held}: ${deletionLockReasonTexts[deletionLock.reason]}${counts}. For details and how to continue, run: lightwell orphans`;
}
