/** The rows of one page: ids from the indexes in the list's order, then what the items show. */

import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { accountIsEnabled, isNotHiddenSince } from '../../library/visible.ts';
import { itemColumns } from './columns.ts';
import { isNarrowed } from './count.ts';
import type { Branch, ListFilter } from './filter.ts';
import { type Dialect as NarrowDialect, narrow, type Strategy } from './narrow.ts';
import type { SortColumn } from './sorting.ts';

export interface PagePlan {
  filter: ListFilter;
  window: { limit: QueryNumber; offset: QueryNumber };
  /** Rows of the first branch that are passed over before it is merged with the others; 0 for none. */
  skipped: QueryNumber;
  /** As many rows of each branch lie before the page's end, or some more. */
  atMost: QueryNumber;
  strategy: Strategy;
  /** The list's order, or its reverse when the page is nearer to the list's end. */
  order: 'asc' | 'desc';
}

/** What the database does in its own way. */
type Dialect = NarrowDialect & Pick<Deps['db'], 'limitsBranches' | 'comparesPassed'>;

/** One SQL for both databases; branches are merged in the order of their indexes, not sorted. */
export function pageQuery(kysely: Kysely<Tables>, dialect: Dialect, plan: PagePlan) {
  const { filter, window, order } = plan;
  const [first, ...others] = filter.branches.map((branch, index) =>
    branchQuery(kysely, dialect, plan, branch, index === 0 ? plan.skipped : 0),
  );
  let ids = first!;
  for (const other of others) ids = ids.unionAll(other);
  const page = ids
    .orderBy(sql.ref('sort_value'), order)
    .orderBy('id', order)
    .limit(window.limit)
    .offset(window.offset)
    .as('page');
  return kysely
    .selectFrom(page)
    .innerJoin('photos', 'photos.id', 'page.id')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .select(itemColumns(filter.reactionsOf))
    .$if(!filter.showsDisabled, (query) =>
      query.where(accountIsEnabled).where(isNotHiddenSince(filter.viewerId)),
    )
    .orderBy('page.sort_value', filter.order)
    .orderBy('page.id', filter.order);
}

/** Ordered in itself: PostgreSQL merges only such branches, and SQLite does not mind. */
function branchQuery(
  kysely: Kysely<Tables>,
  dialect: Dialect,
  plan: PagePlan,
  branch: Branch,
  skipped: QueryNumber,
) {
  const { filter, strategy, order, window, atMost } = plan;
  const isPassed = skipped !== 0 && isPassedWithin(dialect, plan, branch);
  const isOffset = skipped !== 0 && !isPassed;
  const ordered = narrow(kysely.selectFrom('photos'), dialect, filter, branch, strategy)
    .$if(isPassed, (query) => query.where(isFrom(filter.column, skipped)))
    .select((photo) => ['photos.id', photo.ref(`photos.${filter.column}`).as('sort_value')])
    .orderBy(sql.ref('sort_value'), order)
    .orderBy('photos.id', order);
  // Of an offset that is an argument PostgreSQL expects a tenth of all rows: with a bound in the text it stays with one
  // plan for all arguments, which else takes longer to make than to carry out.
  const bounded = dialect.limitsBranches
    ? kysely
        .selectFrom(ordered.limit(atMost).as('bounded'))
        .select(['bounded.id', 'bounded.sort_value'])
        .orderBy('bounded.sort_value', order)
        .orderBy('bounded.id', order)
    : ordered;
  const reached = (bounded as typeof ordered)
    .$if(dialect.limitsBranches || isOffset, (query) => query.limit(endOf(window)))
    .$if(isOffset, (query) => query.offset(skipped));
  return kysely.selectFrom(reached.as('branch')).select(['branch.id', 'branch.sort_value']);
}

/**
 * Whether what comes before the page is passed over in the index itself, where nothing has to be compared: public photos
 * stand last in the indexes of everybody's.
 */
export function isPassedWithin(
  dialect: Pick<Dialect, 'comparesPassed'>,
  { filter, order }: Pick<PagePlan, 'filter' | 'order'>,
  { visibility, userId }: Branch,
): boolean {
  const isLast = visibility === Visibility.public && userId === undefined && order === 'desc';
  return dialect.comparesPassed && isLast && !isNarrowed(filter);
}

/** From the place in the list of everybody's public photos, newest or highest first, that so many come before. */
function isFrom(column: SortColumn, skipped: QueryNumber) {
  const value = sql.ref(column);
  return sql<SqlBool>`(${sql.ref(`photos.${column}`)}, photos.id) <= (SELECT ${value}, id
    FROM (SELECT visibility, ${value}, id FROM photos
      ORDER BY visibility DESC, ${value} DESC, id DESC LIMIT 1 OFFSET ${skipped}) AS place
    WHERE visibility = ${sql.lit(Visibility.public)})`;
}

/** No branch has more rows before the page's end than there are. */
function endOf({ limit, offset }: PagePlan['window']) {
  return sql<number>`(CAST(${limit} AS bigint) + CAST(${offset} AS bigint))`;
}
