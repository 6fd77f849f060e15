/**
 * Detects lock waits in the database. PostgreSQL locks rows. SQLite allows one write at a time and has no row
 * locks.
 */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Transaction } from '../../server/platform/db/tables.ts';
import { eventually } from './gallery-counts.ts';
import type { Gallery } from './harness.ts';

const hasRowLocks = process.env.TEST_DATABASE === 'postgres';

/** Resolves when a transaction waits for the row of another, or at once on a database without row locks. */
export async function waitForLockWaiter({ deps }: Gallery): Promise<void> {
  if (!hasRowLocks) return;
  await eventually(async () => {
    const { rows } = await sql`SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(deps.db.kysely);
    assert.ok(rows.length > 0, 'nobody waits');
  });
}

/**
 * Makes the transaction fail instead of waiting for a row, because the holder of the row waits for this
 * transaction.
 */
export async function failInsteadOfWaiting(transaction: Transaction): Promise<void> {
  if (hasRowLocks) await sql`SET LOCAL lock_timeout = 1`.execute(transaction);
}
