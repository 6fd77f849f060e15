/** Rows of `settings`: what is decided once, or noted, and kept with the data; leases, and marks of a gallery. */
import { type Kysely, sql } from 'kysely';
import { maxClockSkew } from '../process/clock.ts';
import type { OpenedDatabase } from './dialect.ts';
import type { Tables } from './tables.ts';

/** A database, or a transaction in it. */
interface Place {
  kysely: Kysely<Tables>;
}

export async function findSetting({ kysely }: Place, name: string): Promise<string | undefined> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Of a setting that is JSON. */
export async function findJson<Value>(place: Place, name: string): Promise<Value | undefined> {
  const value = await findSetting(place, name);
  return value === undefined ? undefined : (JSON.parse(value) as Value);
}

export async function setSetting({ kysely }: Place, name: string, value: string): Promise<void> {
  await kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The value kept under this name; `proposal` becomes it when there is none. Of two processes one wins. */
export async function keepSetting(place: Place, name: string, proposal: string): Promise<string> {
  const kept = await findSetting(place, name);
  if (kept !== undefined) return kept;
  await place.kysely
    .insertInto('settings')
    .values({ name, value: proposal })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findSetting(place, name))!;
}

/**
 * For work that one process does for all: whether this one got the lease; then no other process gets it until `now + seconds` (Unix seconds). It is not
 * released: hourly work takes it for most of an hour, and if the process dies, another one takes over after that. One that
 * ends later than any could was taken by a clock that was wrong, and counts for nothing.
 */
export async function takeLease(
  { kysely }: OpenedDatabase,
  name: string,
  now: number,
  seconds: number,
): Promise<boolean> {
  const row = `lease: ${name}`;
  await keepSetting({ kysely }, row, '0');
  const { numUpdatedRows } = await kysely
    .updateTable('settings')
    .set({ value: String(now + seconds) })
    .where('name', '=', row)
    .where((is) => is.or([is(untilOf, '<=', now), is(untilOf, '>', now + seconds + maxClockSkew)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const untilOf = sql<number>`CAST(value AS bigint)`;

/** Of the one-time links that make the first admin, a row for each server (gallery/accounts/setup.ts). */
export const setupPrefix = 'setup: ';

export const unfinishedSetting = 'unfinished';
/** Replaces the mark at the end: the same command, run again, says that it has finished already. */
export const arrivedSetting = 'arrived';

/** What fills the gallery: the storage's id of the gallery that moves, or the archive's id. */
export interface Unfinished {
  work: 'move' | 'restore';
  from: string;
}

export function findUnfinished(kysely: Kysely<Tables>): Promise<Unfinished | undefined> {
  return findJson({ kysely }, unfinishedSetting);
}

export async function markFinished(kysely: Kysely<Tables>): Promise<void> {
  await kysely
    .updateTable('settings')
    .set({ name: arrivedSetting })
    .where('name', '=', unfinishedSetting)
    .execute();
}
