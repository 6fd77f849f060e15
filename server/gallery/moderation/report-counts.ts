/** How many open reports there are about things. */

import type { Deps } from '../../deps.ts';
import type { ReportsTable } from '../../platform/db/tables.ts';
import { isOpen } from './report-close.ts';

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
  return db.slow
    .selectFrom('reports')
    .select(['target_id', (is) => is.fn.countAll<number>().as('n')])
    .where(isOpen)
    .where('target_type', '=', type)
    .groupBy('target_id');
}
