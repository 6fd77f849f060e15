/** SQL of photo lists for both databases: the conditions on a branch, a page, and a page with its total. */
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { OpenedDatabase } from '../../../platform/db/dialect.ts';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import { Level } from '../../../platform/db/states.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { accountEnabledCondition, notHiddenByAlbumCondition } from '../../library/visibility-sql.ts';
import { selectAlbumPhotoIds, selectTaggedIds } from '../query/ids-sql.ts';
import {
  isInSearchFilterIndex,
  type PhotoListAnchor,
  type PhotoListBranch,
  type PhotoListFilter,
  type PhotoSortColumn,
} from './filter.ts';
import { selectPhotoItemColumns } from './item.ts';
import { type PhotoSelectQuery, type QuerySource, selectPhotosWithSort } from './photos-with.ts';

/**
 * How a page is found.
 * - `walk` reads rows in the order of the sort index and tests each row, which is fast if many rows match.
 * - `fetch` reads the matching rows and sorts them, which is fast if few rows match.
 * - `count` reads all matching rows in any order.
 * Query planners cannot know which strategy is faster, so the SQL hides unsuitable indexes from them.
 */
export type PhotoPageStrategy = 'walk' | 'fetch' | 'count';

/** The parts of a query whose SQL differs between the databases. */
export type PhotoListDialect = Pick<OpenedDatabase, 'search' | 'deadlineCheck'>;

/** Columns for which an index has the photos of each user in order. */
const indexedOfUser: PhotoSortColumn[] = ['create_time', 'taken_time', 'rating'];

/** Returns true if an index has the list's order for its owner or album, or if the list has neither. */
export function hasListOrderIndex(
  { column, albumId }: PhotoListFilter,
  { userId }: PhotoListBranch,
): boolean {
  if (albumId !== undefined) return column === 'create_time' || column === 'position';
  return userId === undefined || indexedOfUser.includes(column);
}

/** Selects all photos of a list in one branch, from the table or index that finds them fastest. */
export function selectBranchPhotos(
  from: QuerySource,
  db: PhotoListDialect,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
): PhotoSelectQuery<object> {
  const { isPublic, anchor, column, condition, albumId } = filter;
  const { texts } = db.search;
  const isOfTexts =
    isPublic === undefined && (!anchor || isInSearchFilterIndex(column)) && condition?.hasWords;
  if (!texts || !isOfTexts) {
    const all =
      anchor || albumId !== undefined ? selectPhotosWithSort(from, filter) : from.selectFrom('photos');
    return applyPhotoListFilter(all, db, filter, branch, 'count');
  }
  const photos = from.selectFrom(texts.photos.as('photos')) as unknown as PhotoSelectQuery<object>;
  return applyPhotoListFilter(photos, db, filter, branch, 'count', isOfTexts);
}

/**
 * Adds conditions to a query: the list's filters, and the owner and visibility of `branch`, one part of the list's
 * union. If `isOfTexts` is true, the query reads the search index instead of the table `photos`.
 */
export function applyPhotoListFilter<Output>(
  query: PhotoSelectQuery<Output>,
  db: PhotoListDialect,
  filter: PhotoListFilter,
  branch: PhotoListBranch,
  strategy: PhotoPageStrategy,
  isOfTexts = false,
): PhotoSelectQuery<Output> {
  const { albumId, tag, keyword, from, to, isPublic, condition, anchor } = filter;
  if (condition && strategy === 'fetch') {
    // A subquery finds the matches, because one index has all columns of search queries, but sometimes not the sort
    // column.
    const found = (is: unknown) =>
      selectBranchPhotos(is as ExpressionBuilder<Tables, never>, db, filter, branch);
    return query.where((is) => is('photos.id', 'in', found(is).select('photos.id')));
  }
  const isWalk = strategy === 'walk';
  const { visibility, userId } = branch;
  const id = isWalk ? withoutIndex('photos.id') : sql.ref<number>('photos.id');
  // Planners expect few rows in any range, and would use the range's own index instead of the index with all columns of
  // search queries.
  const isFound = condition !== undefined && !isWalk;
  const createTime = isFound ? withoutIndex('photos.create_time') : sql.ref<number>('photos.create_time');

  // If no index has the list's order for its owner, few photos are fetched and sorted. For many photos, the query walks
  // the index of all photos in that order. The photos of an album are always sorted.
  const isRare = isWalk && albumId === undefined && !hasListOrderIndex(filter, branch);
  const isFew = branch.isFew && !condition;
  const scoped = (column: 'visibility' | 'user_id', isHidden: boolean | undefined) =>
    isHidden ? withoutIndex(`photos.${column}`) : sql.ref<number>(`photos.${column}`);

  let narrowed = query.where(scoped('visibility', isRare && isFew), '=', visibility);
  if (userId !== undefined) narrowed = narrowed.where(scoped('user_id', isRare && !isFew), '=', userId);
  if (albumId !== undefined && isOfTexts)
    narrowed = narrowed.where(id, 'in', sql<number>`(${selectAlbumPhotoIds(albumId, branch)})`);
  if (from !== undefined) narrowed = narrowed.where(createTime, '>=', from);
  if (to !== undefined) narrowed = narrowed.where(createTime, '<', to);
  if (isPublic !== undefined)
    narrowed = narrowed.where('photos.level', isPublic === 1 ? '=' : '<>', Level.public);
  if (tag !== undefined) narrowed = narrowed.where(id, 'in', sql<number>`(${selectTaggedIds(tag, branch)})`);
  if (keyword !== undefined) {
    const found = db.search.matches([keyword], branch, isWalk);
    narrowed = narrowed.where(id, 'in', sql<number>`(SELECT id FROM ${found} AS found)`);
  }
  if (anchor) narrowed = narrowed.where(isBesideAnchor(anchor, filter, isFound));
  if (condition) {
    const asked = condition.where(branch, { isTested: isWalk, isOfTexts });
    narrowed = narrowed.where(isWalk ? sql<SqlBool>`CASE WHEN ${asked} THEN 1 ELSE 0 END = 1` : asked);
  }
  return narrowed;
}

/** Returns an expression for a column that no planner looks up in an index. */
function withoutIndex(column: string) {
  return sql<number>`(${sql.ref(column)} + 0)`;
}

/** Returns the expression that the list is sorted by. */
function sortValue({ column }: Pick<PhotoListFilter, 'column'>, isHidden: boolean) {
  const name = `photos.${column}`;
  if (!isHidden) return sql<string | number>`${sql.ref(name)}`;
  return column === 'title_key' ? sql<string>`(${sql.ref(name)} || '')` : withoutIndex(name);
}

/**
 * Restricts a query to the rows on one side of a photo. A comparison of pairs lets both databases start at that row in
 * the sort index.
 */
function isBesideAnchor({ id, value, side }: PhotoListAnchor, filter: PhotoListFilter, isHidden: boolean) {
  const isAfter = (side === 'from') === (filter.order === 'asc');
  const operator = sql.raw(`${isAfter ? '>' : '<'}${side === 'from' ? '=' : ''}`);
  const type = sql.raw(filter.column === 'title_key' ? 'text' : 'bigint');
  return sql<SqlBool>`(${sortValue(filter, isHidden)}, photos.id) ${operator} (CAST(${value} AS ${type}), ${id})`;
}

export interface PageQueryPlan {
  filter: PhotoListFilter;
  strategy: PhotoPageStrategy;
  /** Order in which a page's rows are read: the order of the list, or its reverse if the page is nearer to the end. */
  order: 'asc' | 'desc';
  /** Limit and offset of the page. The offset counts rows of the merged branches. */
  window: { limit: QueryNumber; offset: QueryNumber };
  /** Number of rows that are skipped in the first branch, before branches are merged. */
  skipped: QueryNumber;
  /** Limit of each branch: the maximum number of its rows up to the end of the page. */
  atMost: QueryNumber;
}

/**
 * Builds the query of a page. Indexes yield the ids in the list's order, and then the query reads the rows of these
 * photos.
 */
export function buildPhotoPageQuery(kysely: Kysely<Tables>, dialect: PhotoListDialect, plan: PageQueryPlan) {
  const { filter, window, order } = plan;
  const page = uniteBranches(
    filter.branches.map((branch, index) =>
      kysely
        .selectFrom(
          applyPhotoListFilter(selectPhotosWithSort(kysely, filter), dialect, filter, branch, plan.strategy)
            // The strategy `fetch` sorts by an expression, so that no planner walks an index to avoid sorting.
            .select(['photos.id', sortValue(filter, plan.strategy === 'fetch').as('sort_value')])
            .select(sql.lit(branch.visibility).as('visibility'))
            .orderBy(sql.ref('sort_value'), order)
            .orderBy('photos.id', order)
            // Each branch has its own limit, because PostgreSQL would otherwise sort the whole branch.
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
      // Tables of counters only copy the visibility, so the row of the photo decides.
      .whereRef('photos.visibility', '=', 'page.visibility')
      .innerJoin('users', 'users.id', 'photos.user_id')
      .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
      .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
      .select(selectPhotoItemColumns(filter.reactionViewerId))
      .$if(!filter.showsDisabled, (item) =>
        item.where(accountEnabledCondition).where(notHiddenByAlbumCondition(filter.viewerId)),
      )
      .orderBy('page.sort_value', filter.order)
      .orderBy('page.id', filter.order)
  );
}

/**
 * Builds the query for a page and the total number of photos, because finding the photos is most of the cost. Each row
 * has the total. A page without photos has one row without an id.
 */
export function buildPhotoPageWithTotal(
  kysely: Kysely<Tables>,
  dialect: PhotoListDialect,
  { filter, window }: Pick<PageQueryPlan, 'filter' | 'window'>,
) {
  const { column, order, reactionViewerId, viewerId, showsDisabled } = filter;
  return kysely
    .with(
      (cte) => cte('found').materialized(),
      () =>
        uniteBranches(
          filter.branches.map((branch) =>
            selectBranchPhotos(kysely, dialect, filter, branch).select([
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
          // Cross joins fix the join order, because SQLite expects many rows of `found` and would otherwise start with
          // all photos.
          .crossJoin('photos')
          .whereRef('photos.id', '=', 'page.id')
          .crossJoin('users')
          .whereRef('users.id', '=', 'photos.user_id')
          .crossJoin('photo_views')
          .whereRef('photo_views.photo_id', '=', 'photos.id')
          .crossJoin('photo_counts')
          .whereRef('photo_counts.photo_id', '=', 'photos.id')
          .select(selectPhotoItemColumns(reactionViewerId))
          .select('page.sort_value')
          .$if(!showsDisabled, (item) =>
            item.where(accountEnabledCondition).where(notHiddenByAlbumCondition(viewerId)),
          ),
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

export function uniteBranches<Output>([first, ...others]: SelectQueryBuilder<never, never, Output>[]) {
  return others.reduce((all, other) => all.unionAll(other), first!);
}
