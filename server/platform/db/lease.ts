/** Work that one process does for all: the process that takes the lease does it, the others wait for its end. */
import { sql } from 'kysely';
import type { OpenedDatabase } from './dialect.ts';

/**
 * Whether this process got the lease; then no other process gets it until `now + seconds` (Unix seconds). It is not
 * released: hourly work takes it for most of an hour, and if the process dies, another one takes over after that.
 */
export async function takeLease(
  { kysely }: OpenedDatabase,
  name: string,
  now: number,
  seconds: number,
): Promise<boolean> {
  const row = `lease: ${name}`;
  await kysely
    .insertInto('settings')
    .values({ name: row, value: '0' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { numUpdatedRows } = await kysely
    .updateTable('settings')
    .set({ value: String(now + seconds) })
    .where('name', '=', row)
    .where(sql<number>`CAST(value AS bigint)`, '<=', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
