/** Takes rows of an outbox, each for one process alone; says when one that failed is tried again. */
import type { Kysely, Selectable } from 'kysely';
import type { MailsTable, Tables } from '../db/tables.ts';
import { maxClockSkew } from '../process/clock.ts';

/** Tables whose rows wait to be sent. */
type OutboxTable = 'webhook_deliveries' | 'mails';

/**
 * The update is the claim: it holds for rows that are still due, and makes them due again when the lease ends, so that
 * what a process held that died is not lost.
 */
export async function claimDue<Table extends OutboxTable>(
  kysely: Kysely<Tables>,
  table: Table,
  { ids, now, leaseSeconds }: { ids: number[]; now: number; leaseSeconds: number },
): Promise<Selectable<Tables[Table]>[]> {
  if (ids.length === 0) return [];
  // All of them have these columns.
  const outbox = table as 'mails';
  const claimed: Selectable<MailsTable>[] = await kysely
    .updateTable(outbox)
    .set((is) => ({
      due_time: now + leaseSeconds,
      last_attempt_time: now,
      attempts: is('attempts', '+', 1),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom(outbox)
        .select('id')
        .where('id', 'in', ids)
        .where('due_time', '<=', now)
        .orderBy('id')
        .forUpdate(),
    )
    .where('due_time', '<=', now)
    .returningAll()
    .execute();
  return claimed as never;
}

/** Seconds after the first attempt that failed, the second, and so on; the last one is repeated. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800];

/** Up to a fifth more: those that failed together do not come back together. */
const spread = 0.2;

/** `attempts`: those made, at least one. */
export function pauseAfter(attempts: number, random = Math.random): number {
  const pause = pauses[Math.min(attempts, pauses.length) - 1]!;
  return Math.ceil(pause * (1 + spread * random()));
}

/**
 * Rows that a clock wrote which was ahead would wait until it is that late: they are due now. Returns how many. A process
 * whose clock still is ahead may have one under way, and then it is sent twice.
 */
export async function hasten(kysely: Kysely<Tables>, table: OutboxTable, now: number): Promise<number> {
  const ahead = now + maxClockSkew;
  const { numUpdatedRows } = await kysely
    .updateTable(table as 'mails')
    .set({ due_time: now })
    .where('due_time', '>', now)
    .where((is) => is.or([is('create_time', '>', ahead), is('last_attempt_time', '>', ahead)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
