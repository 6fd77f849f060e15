/**
 * Rows of `settings`: values that belong to the data, such as the storage's id, leases, and states of a move or
 * restore.
 */
import { type Kysely, sql } from 'kysely';
import { maxClockSkew } from '../process/clock.ts';
import type { OpenedDatabase } from './dialect.ts';
import type { Tables } from './tables.ts';

/** A database, or a transaction in it. */
interface SettingsDatabase {
  kysely: Kysely<Tables>;
}

export async function findSetting({ kysely }: SettingsDatabase, name: string): Promise<string | undefined> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Returns the value of a setting that is stored as JSON. */
export async function findJsonSetting<Value>(
  database: SettingsDatabase,
  name: string,
): Promise<Value | undefined> {
  const value = await findSetting(database, name);
  return value === undefined ? undefined : (JSON.parse(value) as Value);
}

export async function setSetting({ kysely }: SettingsDatabase, name: string, value: string): Promise<void> {
  await kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function deleteSetting({ kysely }: SettingsDatabase, name: string): Promise<void> {
  await kysely.deleteFrom('settings').where('name', '=', name).execute();
}

/**
 * Returns the stored value of a setting. If there is none, stores `proposal`; if two processes do so at once, one wins.
 */
export async function insertSettingIfAbsent(
  database: SettingsDatabase,
  name: string,
  proposal: string,
): Promise<string> {
  const kept = await findSetting(database, name);
  if (kept !== undefined) return kept;
  await database.kysely
    .insertInto('settings')
    .values({ name, value: proposal })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findSetting(database, name))!;
}

export const leaseSettingPrefix = 'lease: ';

/**
 * Takes a lease for work that one process does for all, and returns whether it succeeded. No other process gets the
 * lease until `now + seconds` (Unix seconds). The lease is not released: hourly work holds it for most of an hour, and
 * after a crash another process takes over. A lease that ends too far in the future came from a wrong clock and is
 * ignored.
 */
export async function acquireWorkLease(
  { kysely }: OpenedDatabase,
  name: string,
  now: number,
  seconds: number,
): Promise<boolean> {
  const row = leaseSettingPrefix + name;
  await insertSettingIfAbsent({ kysely }, row, '0');
  const { numUpdatedRows } = await kysely
    .updateTable('settings')
    .set({ value: String(now + seconds) })
    .where('name', '=', row)
    .where((is) => is.or([is(leaseEnd, '<=', now), is(leaseEnd, '>', now + seconds + maxClockSkew)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const leaseEnd = sql<number>`CAST(value AS bigint)`;

/**
 * Prefix of settings for the one-time links that create the first admin. Each server has one row
 * (`gallery/accounts/setup.ts`).
 */
export const setupSettingPrefix = 'setup: ';

/** Highest id of the photos whose texts and titles still have the keys of an earlier version. */
export const searchTextsLeftSetting = 'search texts left';

export const unfinishedTransferSetting = 'unfinished';
/** Setting that replaces `unfinished` at the end, so that a repeated command reports that it has finished already. */
export const finishedTransferSetting = 'arrived';

/**
 * State of a gallery that is being filled. `from` is the storage id of the moving gallery, or the id of the archive.
 */
export interface UnfinishedTransfer {
  work: 'move' | 'restore';
  from: string;
}

/** Returns the move or restore into this gallery that has not finished, or undefined. */
export function findUnfinishedTransfer(kysely: Kysely<Tables>): Promise<UnfinishedTransfer | undefined> {
  return findJsonSetting({ kysely }, unfinishedTransferSetting);
}

export async function markTransferFinished(kysely: Kysely<Tables>): Promise<void> {
  await kysely
    .updateTable('settings')
    .set({ name: finishedTransferSetting })
    .where('name', '=', unfinishedTransferSetting)
    .execute();
}
