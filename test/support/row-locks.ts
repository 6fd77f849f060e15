/** Who waits for whom in the database: PostgreSQL locks rows; SQLite lets one write at a time, and nobody wait for a row. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Transaction } from '../../server/platform/db/tables.ts';
import { eventually } from './gallery-counts.ts';
import type { Gallery } from './harness.ts';

const hasRowLocks = process.env.TEST_DATABASE === 'postgres';

/** Returns once a transaction waits for a row of another one; at once where none ever does. */
export async function waitForLockWaiter({ deps }: Gallery): Promise<void> {
  if (!hasRowLocks) return;
  await eventually(async () => {
    const { rows } = await sql`SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(deps.db.kysely);
    assert.ok(rows.length > 0, 'nobody waits');
  });
}

/** From now on the transaction fails where it would have to wait for a row: who has that waits for this one. */
export async function failInsteadOfWaiting(transaction: Transaction): Promise<void> {
  if (hasRowLocks) await sql`SET LOCAL lock_timeout = 1`.execute(transaction);
}
