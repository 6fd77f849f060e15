/**
 * Tells a database from an older copy of itself. Every sweep leaves a new stamp beside the objects, and keeps it in
 * the database. A stamp that the database does not know was left by another database, or by a newer state of this one
 * before it was restored from a backup: either knows photos that this one does not (ADR 21).
 */
import { randomBytes } from 'node:crypto';
import type { OpenedDatabase } from '../db/dialect.ts';
import { findJson, keepSetting } from '../db/settings.ts';
import type { Clock } from '../process/clock.ts';
import type { Storage } from '../storage/storage.ts';

export const stampSetting = 'stamps';

/**
 * So many of its last stamps are known to a database: of two processes that sweep at once either may write last. A
 * backup lacks those that came after it, however many it holds.
 */
const maxKept = 24;
/** Stands for a storage without a stamp. */
const noStamp = '';

interface Place {
  db: OpenedDatabase;
  storage: Storage;
}

/** Whether this database, as it is, left the storage's stamp. Throws when the storage cannot be read. */
export async function knowsStamp({ db, storage }: Place): Promise<boolean> {
  const found = await storage.readStamp();
  // Of a volume that is not mounted nothing is concluded.
  if (found === undefined) await storage.ping();
  const known = await findJson<string[]>(db, stampSetting);
  return known ? known.includes(found ?? noStamp) : found === undefined;
}

/** Leaves a new stamp. A process that is slower than another leaves none. */
export async function renewStamp({ db, storage, clock }: Place & { clock: Clock }): Promise<void> {
  const before = await keepSetting(db, stampSetting, JSON.stringify([noStamp]));
  const stamp = newStamp(clock());
  const earlier = JSON.parse(before) as string[];
  const known = [stamp, ...earlier].slice(0, maxKept);
  // A full storage takes no new stamp: the one that it bears is not forgotten, however long that lasts.
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

/** For a database that takes a storage: what lies there is known from now on. */
export async function keepFoundStamp(db: OpenedDatabase, storage: Storage): Promise<void> {
  for (const [name, value] of Object.entries(await stampFound(storage))) await keepSetting(db, name, value);
}

/**
 * For a database that is only being filled: a stamp of its own, as a row of `settings`. Another database that uses the
 * storage finds it, and removes nothing of what is carried here.
 */
export async function leaveFirstStamp(storage: Storage): Promise<Record<string, string>> {
  const stamp = newStamp(Math.floor(Date.now() / 1000));
  await storage.writeStamp(stamp);
  return { [stampSetting]: JSON.stringify([stamp]) };
}

/** What lies there as a row of `settings`; none for a storage without a stamp. */
export async function stampFound(storage: Storage): Promise<Record<string, string>> {
  const found = await storage.readStamp();
  return found === undefined ? {} : { [stampSetting]: JSON.stringify([found]) };
}

function newStamp(seconds: number): string {
  return `${seconds}.${randomBytes(8).toString('hex')}`;
}
