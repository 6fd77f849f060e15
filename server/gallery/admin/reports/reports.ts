/** Lists reports with the reported things, latest report first. */

import type { Deps } from '../../../deps.ts';
import type { ReportsTable } from '../../../platform/db/tables.ts';
import { readQueryPage } from '../../../platform/http/pagination.ts';
import { timeText } from '../../../platform/http/time.ts';
import { createViewerPathSigner } from '../../delivery/paths.ts';
import { authorColumns, presentUser } from '../../identity/present.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { countOpenReports } from '../../moderation/reports.ts';
import type { Report, ReportsQuery } from './schema.ts';
import { readReportTargets } from './targets.ts';

const targetTypes: ReportsTable['target_type'][] = ['photo', 'comment', 'user'];

export async function listReports(deps: Deps, viewer: Viewer, query: ReportsQuery) {
  const matching = deps.db
    .slow()
    .selectFrom('reports')
    .$if(query.status !== undefined, (some) => some.where('reports.status', '=', query.status!));
  const { rows, pagination } = await readQueryPage(matching, query, (some) =>
    some
      .innerJoin('users', 'users.id', 'reports.user_id')
      .selectAll('reports')
      .select(authorColumns)
      .orderBy('reports.id', 'desc'),
  );
  const about = targetTypes.map((type) => ({
    type,
    ids: rows.filter(({ target_type }) => target_type === type).map(({ target_id }) => target_id),
  }));
  const targets = await readReportTargets(deps, viewer, about);
  const counts = new Map<string, number>();
  for (const { type, ids } of about) {
    for (const [id, open] of await countOpenReports(deps, type, ids)) counts.set(`${type} ${id}`, open);
  }
  const signer = createViewerPathSigner(deps, viewer);
  const list = rows.map((row): Report => {
    const { target_type, target_id } = row;
    const key = `${target_type} ${target_id}`;
    return {
      id: row.id,
      target_type,
      target_id,
      target: targets.get(key) ?? null,
      reason: row.reason,
      content: row.content,
      user: presentUser({ ...row, id: row.user_id }, signer),
      open_reports: counts.get(key) ?? 0,
      status: row.status,
      action: row.action,
      note: row.note,
      handler: row.handler,
      handled_time: row.handled_time === null ? '' : timeText(row.handled_time),
      create_time: timeText(row.create_time),
    };
  });
  return { list, pagination };
}
