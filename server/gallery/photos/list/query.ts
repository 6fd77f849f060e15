/** A list as SQL: the conditions on one branch, a page, and a page with its total. One SQL for both databases. */
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { OpenedDatabase } from '../../../platform/db/dialect.ts';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { accountIsEnabled, isNotHiddenSince } from '../../library/visible.ts';
import { taggedWith } from '../query/sql.ts';
import { type Anchor, type Branch, isInFilterIndex, type ListFilter, type SortColumn } from './filter.ts';
import { itemColumns } from './item.ts';

type PhotoQuery<Output> = SelectQueryBuilder<Tables, 'photos', Output>;

/**
 * How a page is found. `walk`: rows come in the order of the sort's index and each is tested, which is quick where many
 * match. `fetch`: the matching rows are fetched and sorted, which is quick where few match. The planners cannot know
 * which, so what must not be used is hidden from them. `count`: all matching rows, in no order.
 */
export type Strategy = 'walk' | 'fetch' | 'count';

/** The parts of a query that each database has its own SQL for. */
export type Dialect = Pick<OpenedDatabase, 'search' | 'deadlineCheck'>;

const counterTables: Partial<Record<SortColumn, 'photo_views' | 'photo_counts'>> = {
  views: 'photo_views',
  downloads: 'photo_views',
  likes: 'photo_counts',
  favorites: 'photo_counts',
};
/** Columns of photos that filters ask for. */
const askedColumns =
  'user_id album_id is_public create_time taken_time size iso focal_length width height camera lens aperture';

/**
 * Photos with the column that sorts a list. A counter has the order in an index of its own table, so the rows of that
 * table stand for those of photos. Both databases leave out the join where no filter asks for a column of photos.
 */
export function photosWith(
  from: Kysely<Tables> | ExpressionBuilder<Tables, never>,
  column: SortColumn,
): PhotoQuery<object> {
  const table = counterTables[column];
  if (!table) return from.selectFrom('photos');
  const asked = sql.join(askedColumns.split(' ').map((name) => sql.ref(`own.${name}`)));
  const photos = sql<Tables['photos']>`(SELECT counted.photo_id AS id, counted.visibility,
    ${sql.ref(`counted.${column}`)}, ${asked}
    FROM ${sql.table(table)} AS counted LEFT JOIN photos AS own ON own.id = counted.photo_id)`;
  return from.selectFrom(photos.as('photos')) as unknown as PhotoQuery<object>;
}

/** Whether an index has the order of a list for one owner or album alone, where the list asks for one. */
export function isOrdered({ column, albumId }: ListFilter, { userId }: Branch): boolean {
  if (albumId !== undefined) return column === 'create_time' || column === 'album_position';
  return userId === undefined || column === 'create_time' || column === 'taken_time';
}

/** All photos of a list in one branch, from the table or index where they are found quickest. */
export function foundIn(
  from: Kysely<Tables> | ExpressionBuilder<Tables, never>,
  db: Dialect,
  filter: ListFilter,
  branch: Branch,
): PhotoQuery<object> {
  const { isPublic, anchor, column, condition } = filter;
  const { texts } = db.search;
  const isOfTexts = isPublic === undefined && (!anchor || isInFilterIndex(column)) && condition?.hasWords;
  if (!texts || !isOfTexts) {
    const all = anchor ? photosWith(from, column) : from.selectFrom('photos');
    return narrow(all, db, filter, branch, 'count');
  }
  const photos = from.selectFrom(texts.photos.as('photos')) as unknown as PhotoQuery<object>;
  return narrow(photos, db, filter, branch, 'count', isOfTexts);
}

/** Adds the branch's scope and every filter. `isOfTexts`: rows of texts stand for those of photos. */
export function narrow<Output>(
  query: PhotoQuery<Output>,
  db: Dialect,
  filter: ListFilter,
  branch: Branch,
  strategy: Strategy,
  isOfTexts = false,
): PhotoQuery<Output> {
  const { albumId, tag, keyword, from, to, isPublic, condition, anchor } = filter;
  if (condition && strategy === 'fetch') {
    // Matches are found in a subquery: one index has all columns of queries, and not always the sort column.
    const found = (is: unknown) => foundIn(is as ExpressionBuilder<Tables, never>, db, filter, branch);
    return query.where((is) => is('photos.id', 'in', found(is).select('photos.id')));
  }
  const isWalk = strategy === 'walk';
  const { visibility, userId } = branch;
  const id = isWalk ? withoutIndex('photos.id') : sql.ref<number>('photos.id');
  // Planners expect few rows of any range, and take its index instead of the one with all columns of queries.
  const isFound = condition !== undefined && !isWalk;
  const createTime = isFound ? withoutIndex('photos.create_time') : sql.ref<number>('photos.create_time');

  // In an order without an index for one owner or album, few photos are fetched and sorted. If there
  // are many, the index of all photos in that order is walked.
  const isRare = isWalk && !isOrdered(filter, branch);
  const isFew = branch.isFew && !condition;
  const scoped = (column: 'visibility' | 'user_id' | 'album_id', isHidden: boolean | undefined) =>
    isHidden ? withoutIndex(`photos.${column}`) : sql.ref<number>(`photos.${column}`);

  let narrowed = query.where(scoped('visibility', isRare && isFew), '=', visibility);
  if (userId !== undefined) narrowed = narrowed.where(scoped('user_id', isRare && !isFew), '=', userId);
  if (albumId !== undefined) narrowed = narrowed.where(scoped('album_id', isRare && !isFew), '=', albumId);
  if (from !== undefined) narrowed = narrowed.where(createTime, '>=', from);
  if (to !== undefined) narrowed = narrowed.where(createTime, '<', to);
  if (isPublic !== undefined) narrowed = narrowed.where('photos.is_public', '=', isPublic);
  if (tag !== undefined) narrowed = narrowed.where(id, 'in', sql<number>`(${taggedWith(tag, branch)})`);
  if (keyword !== undefined) {
    const found = db.search.matches(keyword, branch, isWalk);
    narrowed = narrowed.where(id, 'in', sql<number>`(SELECT id FROM ${found} AS found)`);
  }
  if (anchor) narrowed = narrowed.where(besides(anchor, filter, isFound));
  if (condition) {
    const asked = condition.where(branch, { isTested: isWalk, isOfTexts });
    narrowed = narrowed.where(isWalk ? sql<SqlBool>`CASE WHEN ${asked} THEN 1 ELSE 0 END = 1` : asked);
  }
  return narrowed;
}

/** A column that the planners look for in no index. */
function withoutIndex(column: string) {
  return sql<number>`(${sql.ref(column)} + 0)`;
}

/** The column that a list is sorted by. */
function sortValue({ column }: Pick<ListFilter, 'column'>, isHidden: boolean) {
  const name = `photos.${column}`;
  if (!isHidden) return sql<string | number>`${sql.ref(name)}`;
  return column === 'title_key' ? sql<string>`(${sql.ref(name)} || '')` : withoutIndex(name);
}

/** The rows on one side of a photo: pairs are compared, so that both databases start there in the list's index. */
function besides({ id, value, side }: Anchor, filter: ListFilter, isHidden: boolean) {
  const isAfter = (side === 'from') === (filter.order === 'asc');
  const operator = sql.raw(`${isAfter ? '>' : '<'}${side === 'from' ? '=' : ''}`);
  const type = sql.raw(filter.column === 'title_key' ? 'text' : 'bigint');
  return sql<SqlBool>`(${sortValue(filter, isHidden)}, photos.id) ${operator} (CAST(${value} AS ${type}), ${id})`;
}

export interface PagePlan {
  filter: ListFilter;
  strategy: Strategy;
  /** The list's order, or its reverse when the page is nearer to the list's end. */
  order: 'asc' | 'desc';
  /** `offset`: rows of the merged branches before the page. */
  window: { limit: QueryNumber; offset: QueryNumber };
  /** Rows of the first branch that are skipped before the merge with the others. */
  skipped: QueryNumber;
  /** The limit of each branch: the most rows of one branch before the page's end. */
  atMost: QueryNumber;
}

/** The ids come from the indexes in the list's order; then the rows of these photos are read. */
export function pageQuery(kysely: Kysely<Tables>, dialect: Dialect, plan: PagePlan) {
  const { filter, window, order } = plan;
  const page = uniteBranches(
    filter.branches.map((branch, index) =>
      kysely
        .selectFrom(
          narrow(photosWith(kysely, filter.column), dialect, filter, branch, plan.strategy)
            // A fetch sorts by an expression, so that no planner walks an index to avoid sorting.
            .select(['photos.id', sortValue(filter, plan.strategy === 'fetch').as('sort_value')])
            .select(sql.lit(branch.visibility).as('visibility'))
            .orderBy(sql.ref('sort_value'), order)
            .orderBy('photos.id', order)
            // Each branch has its own limit: else PostgreSQL would sort the whole branch.
            .limit(plan.atMost)
            .offset(index === 0 ? plan.skipped : sql.lit(0))
            .as('branch'),
        )
        .select(['branch.id', 'branch.sort_value', 'branch.visibility']),
    ),
  )
    .orderBy(sql.ref('sort_value'), order)
    .orderBy('id', order)
    .limit(window.limit)
    .offset(window.offset)
    .as('page');
  return (
    kysely
      .selectFrom(page)
      .innerJoin('photos', 'photos.id', 'page.id')
      // The rows of counters only repeat the visibility: the photo's own row decides.
      .whereRef('photos.visibility', '=', 'page.visibility')
      .innerJoin('users', 'users.id', 'photos.user_id')
      .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
      .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
      .select(itemColumns(filter.reactionsOf))
      .$if(!filter.showsDisabled, (item) =>
        item.where(accountIsEnabled).where(isNotHiddenSince(filter.viewerId)),
      )
      .orderBy('page.sort_value', filter.order)
      .orderBy('page.id', filter.order)
  );
}

/**
 * A page and the number of all photos that are found, in one read: finding them is most of its cost. Each row has the
 * total; with no photo in the page there is one row without an id.
 */
export function foundQuery(
  kysely: Kysely<Tables>,
  dialect: Dialect,
  { filter, window }: Pick<PagePlan, 'filter' | 'window'>,
) {
  const { column, order, reactionsOf, viewerId, showsDisabled } = filter;
  return kysely
    .with(
      (cte) => cte('found').materialized(),
      () =>
        uniteBranches(
          filter.branches.map((branch) =>
            foundIn(kysely, dialect, filter, branch).select([
              'photos.id',
              sql.ref(`photos.${column}`).as('sort_value'),
            ]),
          ),
        ),
    )
    .with(
      (cte) => cte('items').materialized(),
      (query) =>
        query
          .selectFrom((page) =>
            page
              .selectFrom('found')
              .select(['found.id', 'found.sort_value'])
              .orderBy('found.sort_value', order)
              .orderBy('found.id', order)
              .limit(window.limit)
              .offset(window.offset)
              .as('page'),
          )
          // Cross joins fix the order: SQLite expects many rows of `found` and would begin with all photos.
          .crossJoin('photos')
          .whereRef('photos.id', '=', 'page.id')
          .crossJoin('users')
          .whereRef('users.id', '=', 'photos.user_id')
          .crossJoin('photo_views')
          .whereRef('photo_views.photo_id', '=', 'photos.id')
          .crossJoin('photo_counts')
          .whereRef('photo_counts.photo_id', '=', 'photos.id')
          .select(itemColumns(reactionsOf))
          .select('page.sort_value')
          .$if(!showsDisabled, (item) => item.where(accountIsEnabled).where(isNotHiddenSince(viewerId))),
    )
    .selectFrom((query) =>
      query
        .selectFrom('found')
        .select((count) => count.fn.countAll<number>().as('total'))
        .as('counted'),
    )
    .leftJoin('items', (join) => join.onTrue())
    .selectAll('items')
    .select('counted.total')
    .orderBy('items.sort_value', order)
    .orderBy('items.id', order);
}

function uniteBranches<Output>([first, ...others]: SelectQueryBuilder<never, never, Output>[]) {
  return others.reduce((all, other) => all.unionAll(other), first!);
}
