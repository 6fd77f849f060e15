/**
 * Detects an older copy of a database. Every sweep writes a new random stamp to the storage and to the database. A
 * database that does not know the storage's stamp is the wrong one, or an older state restored from a backup. Photos in
 * the storage may then have no row in this database (ADR 21).
 */
import { randomBytes } from 'node:crypto';
import type { OpenedDatabase } from '../db/dialect.ts';
import { findJson, insertSettingIfAbsent } from '../db/settings.ts';
import type { Clock } from '../process/clock.ts';
import type { Storage } from '../storage/storage.ts';

export const storageEpochSetting = 'stamps';

/**
 * Number of recent stamps that a database remembers. Two processes that sweep at once may write in either order. A
 * restored backup lacks all later stamps, however many it remembers.
 */
const maxKnownEpochs = 24;
/** Value that stands for a storage without a stamp. */
const noEpoch = '';

interface EpochDeps {
  db: OpenedDatabase;
  storage: Storage;
}

/** Whether this state of the database wrote the stamp in the storage. Throws when the storage cannot be read. */
export async function knowsStorageEpoch({ db, storage }: EpochDeps): Promise<boolean> {
  const found = await storage.readEpoch();
  // A volume that is not mounted has no stamp either, so `ping` must succeed first.
  if (found === undefined) await storage.ping();
  const known = await findJson<string[]>(db, storageEpochSetting);
  return known ? known.includes(found ?? noEpoch) : found === undefined;
}

/** Writes a new stamp to the database and the storage. If another process was faster, writes nothing. */
export async function renewStorageEpoch({ db, storage, clock }: EpochDeps & { clock: Clock }): Promise<void> {
  const before = await insertSettingIfAbsent(db, storageEpochSetting, JSON.stringify([noEpoch]));
  const stamp = newStorageEpoch(clock());
  const earlier = JSON.parse(before) as string[];
  const known = [stamp, ...earlier].slice(0, maxKnownEpochs);
  // A full storage cannot take a new stamp. The stamp in the storage therefore stays known, however long the storage is
  // full.
  const borne = (await storage.readEpoch()) ?? noEpoch;
  if (earlier.includes(borne) && !known.includes(borne)) known[maxKnownEpochs - 1] = borne;
  const { numUpdatedRows } = await db.kysely
    .updateTable('settings')
    .set({ value: JSON.stringify(known) })
    .where('name', '=', storageEpochSetting)
    .where('value', '=', before)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await storage.writeEpoch(stamp);
}

/** Makes a database that claims a storage know the stamp found there. */
export async function adoptStorageEpoch(db: OpenedDatabase, storage: Storage): Promise<void> {
  for (const [name, value] of Object.entries(await readStorageEpochRow(storage)))
    await insertSettingIfAbsent(db, name, value);
}

/**
 * Writes a stamp for a database that is still being filled, and returns it as a row of `settings`. Another database
 * that uses the storage finds an unknown stamp and removes none of the copied objects.
 */
export async function writeFirstStorageEpoch(storage: Storage): Promise<Record<string, string>> {
  const stamp = newStorageEpoch(Math.floor(Date.now() / 1000));
  await storage.writeEpoch(stamp);
  return { [storageEpochSetting]: JSON.stringify([stamp]) };
}

/** Returns the stamp in the storage as a row of `settings`, or no row for a storage without a stamp. */
export async function readStorageEpochRow(storage: Storage): Promise<Record<string, string>> {
  const found = await storage.readEpoch();
  return found === undefined ? {} : { [storageEpochSetting]: JSON.stringify([found]) };
}

function newStorageEpoch(seconds: number): string {
  return `${seconds}.${randomBytes(8).toString('hex')}`;
}
