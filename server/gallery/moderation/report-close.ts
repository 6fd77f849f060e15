/** Ends open reports, in the transaction of what was done about them. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import type { ReportsTable, Transaction } from '../../platform/db/tables.ts';

export const reportActions = ['dismiss', 'delete', 'disable_user'] as const;
export type ReportAction = (typeof reportActions)[number];

export interface Reported {
  type: ReportsTable['target_type'];
  ids: number[];
}

export interface Outcome {
  action: ReportAction;
  note: string;
  /** Username of the admin; '' where a thing went with its owner's account. */
  handler: string;
}

/** Written out, or the index of open reports could not be used. */
export const isOpen = sql<boolean>`reports.status = 'open'`;

/** All open reports about these things. Returns the reports' ids. What was reported is locked before its reports. */
export async function closeReports(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  { type, ids }: Reported,
  outcome: Outcome,
): Promise<number[]> {
  const open = await transaction
    .selectFrom('reports')
    .select('id')
    .where(isOpen)
    .where('target_type', '=', type)
    .where('target_id', 'in', ids)
    // In one order: two admins who handle the same thing at once must not wait for each other.
    .orderBy('id')
    .forUpdate()
    .execute();
  if (open.length === 0) return [];
  const closed = idsOf(open);
  await transaction
    .updateTable('reports')
    .set({ ...outcome, status: 'handled', handled_time: clock() })
    .where('id', 'in', closed)
    .execute();
  return closed;
}
