/**
 * Detects an older copy of a database. Every sweep writes a new random stamp to the storage and to the database. A
 * database that does not know the storage's stamp is the wrong one, or an older state restored from a backup. Photos in
 * the storage may then have no row in this database (ADR 21).
 */
import { randomBytes } from 'node:crypto';
import type { OpenedDatabase } from '../db/dialect.ts';
import { findJson, keepSetting } from '../db/settings.ts';
import type { Clock } from '../process/clock.ts';
import type { Storage } from '../storage/storage.ts';

export const stampSetting = 'stamps';

/**
 * Number of recent stamps that a database remembers. Two processes that sweep at once may write in either order. A
 * restored backup lacks all later stamps, however many it remembers.
 */
const maxKept = 24;
/** Value that stands for a storage without a stamp. */
const noStamp = '';

interface Place {
  db: OpenedDatabase;
  storage: Storage;
}

/** Whether this state of the database wrote the stamp in the storage. Throws when the storage cannot be read. */
export async function knowsStamp({ db, storage }: Place): Promise<boolean> {
  const found = await storage.readStamp();
  // A volume that is not mounted has no stamp either, so `ping` must succeed first.
  if (found === undefined) await storage.ping();
  const known = await findJson<string[]>(db, stampSetting);
  return known ? known.includes(found ?? noStamp) : found === undefined;
}

/** Writes a new stamp to the database and the storage. If another process was faster, writes nothing. */
export async function renewStamp({ db, storage, clock }: Place & { clock: Clock }): Promise<void> {
  const before = await keepSetting(db, stampSetting, JSON.stringify([noStamp]));
  const stamp = newStamp(clock());
  const earlier = JSON.parse(before) as string[];
  const known = [stamp, ...earlier].slice(0, maxKept);
  // A full storage cannot take a new stamp. The stamp in the storage therefore stays known, however long the storage is
  // full.
  const borne = (await storage.readStamp()) ?? noStamp;
  if (earlier.includes(borne) && !known.includes(borne)) known[maxKept - 1] = borne;
  const { numUpdatedRows } = await db.kysely
    .updateTable('settings')
    .set({ value: JSON.stringify(known) })
    .where('name', '=', stampSetting)
    .where('value', '=', before)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await storage.writeStamp(stamp);
}

/** Makes a database that claims a storage know the stamp found there. */
export async function keepFoundStamp(db: OpenedDatabase, storage: Storage): Promise<void> {
  for (const [name, value] of Object.entries(await stampFound(storage))) await keepSetting(db, name, value);
}

/**
 * Writes a stamp for a database that is still being filled, and returns it as a row of `settings`. Another database
 * that uses the storage finds an unknown stamp and removes none of the copied objects.
 */
export async function leaveFirstStamp(storage: Storage): Promise<Record<string, string>> {
  const stamp = newStamp(Math.floor(Date.now() / 1000));
  await storage.writeStamp(stamp);
  return { [stampSetting]: JSON.stringify([stamp]) };
}

/** Returns the stamp in the storage as a row of `settings`, or no row for a storage without a stamp. */
export async function stampFound(storage: Storage): Promise<Record<string, string>> {
  const found = await storage.readStamp();
  return found === undefined ? {} : { [stampSetting]: JSON.stringify([found]) };
}

function newStamp(seconds: number): string {
  return `${seconds}.${randomBytes(8).toString('hex')}`;
}
