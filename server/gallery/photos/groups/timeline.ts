/** Months of a list of photos, from stored counts or, for a filtered list, counted by the query. */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { groupInScopesCondition } from '../../library/counts.ts';
import { aspectRatioInSql } from '../../library/groups.ts';
import { hasFilterConditions, type PhotoListFilter, resolvePhotoListFilter } from '../list/filter.ts';
import { selectBranchPhotos } from '../list/query.ts';
import type { Timeline, TimelineQuery } from './schema.ts';

interface MonthRow {
  month: string;
  n: number;
  ratio: number;
}

/** Returns the months of a list. Throws unauthenticated, albumNotFound, albumForbidden or QueryTooSlow. */
export async function readTimeline(
  deps: Deps,
  viewer: Viewer | undefined,
  { by, ...query }: TimelineQuery,
): Promise<Timeline> {
  const filter = await resolvePhotoListFilter(deps, viewer, {
    ...query,
    sort: by,
    order: 'desc',
    page: 1,
    limit: 1,
  });
  if (filter.branches.length === 0) return { list: [] };
  const months = hasFilterConditions(filter) ? countMonthsInSql(deps, filter, by) : storedMonths(filter, by);
  const { rows } = await months.execute(deps.db.slow(boundedReadOptions));
  return { list: rows.map(({ month, n, ratio }) => ({ month, count: n, ratio: ratio / 1000 })) };
}

function storedMonths({ branches }: PhotoListFilter, by: TimelineQuery['by']): RawBuilder<MonthRow> {
  const kind = by === 'taken_time' ? 'taken' : 'added';
  return sql<MonthRow>`SELECT value AS month, sum(n) AS n, sum(ratio) AS ratio FROM photo_groups
    WHERE ${groupInScopesCondition(branches, kind)} GROUP BY value HAVING sum(n) > 0 ORDER BY value DESC`;
}

function countMonthsInSql(
  { db }: Deps,
  filter: PhotoListFilter,
  by: TimelineQuery['by'],
): RawBuilder<MonthRow> {
  const parts = filter.branches.map((branch) => {
    const photos = selectBranchPhotos(db.slow(boundedReadOptions), db, filter, branch)
      .where(db.deadlineCheck('photos.id'))
      .select([db.month(`photos.${by}`).as('month'), aspectRatioInSql.as('ratio')]);
    return sql`SELECT month, count(*) AS n, sum(ratio) AS ratio FROM ${photos.as('found')} GROUP BY month`;
  });
  return sql<MonthRow>`SELECT month, sum(n) AS n, sum(ratio) AS ratio
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS months GROUP BY month ORDER BY month DESC`;
}
