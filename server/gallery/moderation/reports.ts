/** Counts open reports, and closes them in the transaction of the act that settles them. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { idsOf } from '../../platform/db/rows.ts';
import type { ReportsTable, Transaction } from '../../platform/db/tables.ts';
import type { Viewer } from '../identity/viewer.ts';
import { type AuditedAct, getActorName, recordAuditedAct } from './audit.ts';

export const reportActions = ['dismiss', 'delete', 'disable_user'] as const;
export type ReportAction = (typeof reportActions)[number];

export interface ReportedTargets {
  type: ReportsTable['target_type'];
  ids: number[];
}

export interface ReportOutcome {
  action: ReportAction;
  note: string;
  /** Username of the admin, or '' if the reported content was deleted with its owner's account. */
  handler: string;
}

/**
 * SQL condition: the report is open. The status is a literal, because only then does the database use the partial
 * index of open reports.
 */
const openReportCondition = sql<boolean>`reports.status = 'open'`;

/**
 * Closes all open reports about these things and returns the ids of the reports. The caller has locked the reported
 * things.
 */
export async function closeReports(
  { clock }: Pick<Deps, 'clock'>,
  transaction: Transaction,
  { type, ids }: ReportedTargets,
  outcome: ReportOutcome,
): Promise<number[]> {
  const open = await transaction
    .selectFrom('reports')
    .select('id')
    .where(openReportCondition)
    .where('target_type', '=', type)
    .where('target_id', 'in', ids)
    // Lock the reports in a fixed order, to prevent a deadlock between two admins who handle the same thing at
    // once.
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

/** Returns the number of open reports by target id. Targets without an open report are missing from the map. */
export async function countOpenReports(
  { db }: Pick<Deps, 'db'>,
  type: TargetType,
  ids: number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await selectReportedTargets(db, type).where('target_id', 'in', ids).execute();
  return new Map(rows.map(({ target_id, n }) => [target_id, n]));
}

/**
 * Returns a query for the targets of open reports from the index of open reports: `target_id` and the number `n` of
 * reports.
 */
export function selectReportedTargets(db: Deps['db'], type: TargetType) {
  return db
    .slow()
    .selectFrom('reports')
    .select(['target_id', (is) => is.fn.countAll<number>().as('n')])
    .where(openReportCondition)
    .where('target_type', '=', type)
    .groupBy('target_id');
}

interface AuditedDeletion {
  action: AuditedAct['action'];
  target: AuditedAct['target'] & { type: ReportsTable['target_type'] };
  /**
   * Whether the deleted thing belonged to the admin. Deleting one's own thing enters the audit log only if the
   * thing had open reports.
   */
  isOwn: boolean;
}

/**
 * Closes the open reports about a thing that an admin deletes, and writes the deletion to the audit log. Does
 * nothing for other users: deleting one's own content closes no report.
 */
export async function recordAdminDeletion(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  viewer: Viewer,
  { action, target, isOwn }: AuditedDeletion,
): Promise<void> {
  if (!viewer.isAdmin) return;
  const handler = await getActorName(transaction, viewer);
  const about = { type: target.type, ids: [target.id] };
  const closed = await closeReports(deps, transaction, about, { action: 'delete', note: '', handler });
  if (isOwn && closed.length === 0) return;
  const details = closed.length > 0 ? { reports: closed.length } : {};
  await recordAuditedAct(deps, transaction, viewer, { action, target, details });
}
