/** Takes rows of an outbox for one process at a time, and computes when a failed row is retried. */
import type { Kysely, Selectable } from 'kysely';
import type { MailsTable, Tables } from '../db/tables.ts';
import { maxClockSkew } from '../process/clock.ts';

/** Outbox tables, whose rows wait to be sent. */
type OutboxTable = 'webhook_deliveries' | 'mails';

/**
 * Takes the rows that are due and returns them. An update moves their due time to the end of a lease. If the process
 * dies, the rows become due again and are not lost.
 */
export async function leaseDueRows<Table extends OutboxTable>(
  kysely: Kysely<Tables>,
  table: Table,
  { ids, now, leaseSeconds }: { ids: number[]; now: number; leaseSeconds: number },
): Promise<Selectable<Tables[Table]>[]> {
  if (ids.length === 0) return [];
  // All outbox tables have the columns of this query, so the query has the type of one outbox table.
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

/** Pauses in seconds after the first failed attempt, the second, and so on. The last pause repeats. */
const retryPauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800];

/**
 * Maximum fraction by which a pause is randomly extended, so that rows that failed together are not retried together.
 */
const pauseSpread = 0.2;

/** Returns the seconds until the next attempt. `attempts` is the number of attempts made, at least one. */
export function computeOutboxPause(attempts: number, random = Math.random): number {
  const pause = retryPauses[Math.min(attempts, retryPauses.length) - 1]!;
  return Math.ceil(pause * (1 + pauseSpread * random()));
}

/**
 * Makes rows due now that a clock running ahead has scheduled far in the future. Returns the number of rows. If a
 * process with such a clock is sending one of the rows, that row is sent twice.
 */
export async function resetFutureDueTimes(
  kysely: Kysely<Tables>,
  table: OutboxTable,
  now: number,
): Promise<number> {
  const ahead = now + maxClockSkew;
  const { numUpdatedRows } = await kysely
    .updateTable(table as 'mails')
    .set({ due_time: now })
    .where('due_time', '>', now)
    .where((is) => is.or([is('create_time', '>', ahead), is('last_attempt_time', '>', ahead)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
