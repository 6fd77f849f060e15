/**
 * Detects an older copy of a database by the storage epoch, a random text that every maintenance run writes to storage
 * and database. A database that does not know the storage's epoch is the wrong one, or an older state restored from a
 * backup. Photos in the storage may then have no row in this database (ADR 21).
 */
import { randomBytes } from 'node:crypto';
import type { OpenedDatabase } from '../db/dialect.ts';
import { findJsonSetting, insertSettingIfAbsent } from '../db/settings.ts';
import type { Clock } from '../process/clock.ts';
import type { Storage } from '../storage/storage.ts';

export const storageEpochSetting = 'stamps';

/**
 * Number of recent storage epochs that a database remembers. Two maintenance runs at once may write in either order. A
 * restored backup lacks all later epochs, however many it remembers.
 */
const maxKnownEpochs = 24;
/** Value that stands for a storage without an epoch. */
const noEpoch = '';

interface EpochDeps {
  db: OpenedDatabase;
  storage: Storage;
}

/** Whether this state of the database wrote the storage epoch. Throws when the storage cannot be read. */
export async function knowsStorageEpoch({ db, storage }: EpochDeps): Promise<boolean> {
  const found = await storage.readEpoch();
  // A volume that is not mounted has no storage epoch either, so `ping` must succeed first.
  if (found === undefined) await storage.ping();
  const known = await findJsonSetting<string[]>(db, storageEpochSetting);
  return known ? known.includes(found ?? noEpoch) : found === undefined;
}

/** Writes a new storage epoch to the database and the storage. If another process was faster, writes nothing. */
export async function renewStorageEpoch({ db, storage, clock }: EpochDeps & { clock: Clock }): Promise<void> {
  const before = await insertSettingIfAbsent(db, storageEpochSetting, JSON.stringify([noEpoch]));
  const epoch = newStorageEpoch(clock());
  const earlier = JSON.parse(before) as string[];
  const known = [epoch, ...earlier].slice(0, maxKnownEpochs);
  // A full storage cannot take a new epoch. Its old epoch therefore stays known, however long the storage is full.
  const borne = (await storage.readEpoch()) ?? noEpoch;
  if (earlier.includes(borne) && !known.includes(borne)) known[maxKnownEpochs - 1] = borne;
  const { numUpdatedRows } = await db.kysely
    .updateTable('settings')
    .set({ value: JSON.stringify(known) })
    .where('name', '=', storageEpochSetting)
    .where('value', '=', before)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await storage.writeEpoch(epoch);
}

/** Stores the storage's epoch in a database that claims the storage, so that the database knows it. */
export async function adoptStorageEpoch(db: OpenedDatabase, storage: Storage): Promise<void> {
  for (const [name, value] of Object.entries(await readStorageEpochRow(storage)))
    await insertSettingIfAbsent(db, name, value);
}

/**
 * Writes a storage epoch for a database that is still being filled, and returns the epoch as a row of `settings`.
 * Another database that uses the storage finds an unknown epoch and deletes none of the copied objects.
 */
export async function writeFirstStorageEpoch(storage: Storage): Promise<Record<string, string>> {
  const epoch = newStorageEpoch(Math.floor(Date.now() / 1000));
  await storage.writeEpoch(epoch);
  return { [storageEpochSetting]: JSON.stringify([epoch]) };
}

/** Returns the storage's epoch as a row of `settings`, or no row for a storage without an epoch. */
export async function readStorageEpochRow(storage: Storage): Promise<Record<string, string>> {
  const found = await storage.readEpoch();
  return found === undefined ? {} : { [storageEpochSetting]: JSON.stringify([found]) };
}

function newStorageEpoch(seconds: number): string {
  return `${seconds}.${randomBytes(8).toString('hex')}`;
}
