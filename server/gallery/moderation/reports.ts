/** Open reports about things: counted, and ended in the transaction of what was done about them. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import type { ReportsTable, Transaction } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';
import { type Act, audit, usernameOf } from './audit.ts';

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
const isOpen = sql<boolean>`reports.status = 'open'`;

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

type TargetType = ReportsTable['target_type'];

/** By id; those without an open report are missing. */
export async function openReportsOf(
  { db }: Pick<Deps, 'db'>,
  type: TargetType,
  ids: number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reportedThings(db, type).where('target_id', 'in', ids).execute();
  return new Map(rows.map(({ target_id, n }) => [target_id, n]));
}

/** What open reports are about, from their index: `target_id` with the number `n` of reports. */
export function reportedThings(db: Deps['db'], type: TargetType) {
  return db
    .slow()
    .selectFrom('reports')
    .select(['target_id', (is) => is.fn.countAll<number>().as('n')])
    .where(isOpen)
    .where('target_type', '=', type)
    .groupBy('target_id');
}

interface Deletion {
  action: Act['action'];
  target: Act['target'] & { type: ReportsTable['target_type'] };
  /** Whose the thing was; an admin's own is worth an entry only where it had been reported. */
  isOwn: boolean;
}

/** Does nothing for other users than admins: users who delete what is theirs close no report about it. */
export async function noteDeletion(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  viewer: Viewer,
  { action, target, isOwn }: Deletion,
): Promise<void> {
  if (!viewer.isAdmin) return;
  const handler = await usernameOf(transaction, viewer);
  const about = { type: target.type, ids: [target.id] };
  const closed = await closeReports(deps, transaction, about, { action: 'delete', note: '', handler });
  if (isOwn && closed.length === 0) return;
  const details = closed.length > 0 ? { reports: closed.length } : {};
  await audit(deps, transaction, viewer, { action, target, details });
}
