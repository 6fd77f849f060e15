/** Work that one process does for all: whoever takes the lease does it, the others leave it until the lease ends. */
import { sql } from 'kysely';
import type { OpenedDatabase } from './dialect.ts';

/**
 * Whether it is this process's turn; then nobody else's until `now + seconds` (Unix seconds). Not given back: work
 * that is due once an hour takes it for most of an hour, and if the process dies, somebody is next in an hour.
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
