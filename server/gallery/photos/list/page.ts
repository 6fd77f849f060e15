/** The rows of one page: ids from the indexes in the list's order, then what the items show. */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { authorColumns } from '../../accounts/present.ts';
import { everybody } from '../../library/counts.ts';
import { accountIsEnabled, isNotHiddenSince, visibilityNowByOwner } from '../../library/visible.ts';
import type { Branch, ListFilter } from './filter.ts';
import { type Dialect as NarrowDialect, narrow, type Strategy } from './narrow.ts';

export interface PagePlan {
  filter: ListFilter;
  window: { limit: Count; offset: Count };
  /** Rows of the first branch that are passed over before it is merged with the others; 0 for none. */
  skipped: Count;
  /** As many rows of each branch lie before the page's end, or some more. */
  atMost: Count;
  strategy: Strategy;
  /** The list's order, or its reverse when the page is nearer to the list's end. */
  order: 'asc' | 'desc';
  /** Whether the rows have only what is not kept of an item (items.ts). */
  isBrief?: boolean;
}

/** An argument of the statement, or part of its text. */
type Count = number | RawBuilder<number>;

/** What the database does in its own way. */
type Dialect = NarrowDialect & Pick<Deps['db'], 'limitsBranches'>;

/** What a list item is made of: see PhotoItemRow. `users` is the photo's owner. */
const counters = ['photos.views', 'photos.likes', 'photos.favorites', 'photos.comments'] as const;
const columnsForAll = [
  'photos.id',
  'photos.title',
  'photos.image_key',
  ...counters,
  'photos.width',
  'photos.height',
  'photos.placeholder',
  'photos.create_time',
  'photos.update_time',
  'photos.taken_time',
  'photos.is_public',
  'photos.preview_extension',
  visibilityNowByOwner,
  'photos.user_id',
  ...authorColumns,
] as const;

/** The same, with the viewer's likes and favorites: two looks into an index for each row, none for 0, who is anonymous. */
export function itemColumns(viewer: number | RawBuilder<number>) {
  return [
    ...columnsForAll,
    hasReacted('likes', viewer).as('is_liked'),
    hasReacted('favorites', viewer).as('is_favorited'),
  ] as const;
}

/** Numbers alone, and of what is kept the versions: handing over texts is most of what a page costs SQLite. */
function briefColumns(viewer: number | RawBuilder<number>) {
  return [
    'photos.id',
    ...counters,
    visibilityNowByOwner,
    ...versions,
    hasReacted('likes', viewer).as('is_liked'),
    hasReacted('favorites', viewer).as('is_favorited'),
  ] as const;
}

const versions = ['photos.item_version', 'users.item_version as owner_version'] as const;

function hasReacted(table: 'likes' | 'favorites', viewer: number | RawBuilder<number>) {
  if (viewer === 0) return sql<number>`0`;
  return sql<number>`(CASE WHEN EXISTS (SELECT 1 FROM ${sql.table(table)} AS own
    WHERE own.photo_id = photos.id AND own.user_id = ${viewer}) THEN 1 ELSE 0 END)`;
}

/** How many photos each branch has in all: one statement less where the page is read by what they were last time. */
function totalsOf(branches: Branch[]) {
  const totalOf = ({ userId = everybody, visibility }: Branch) =>
    sql<number | null>`(SELECT n FROM photo_totals WHERE user_id = ${userId} AND visibility = ${visibility})`;
  const [first, second] = branches;
  return [
    (first ? totalOf(first) : sql<null>`NULL`).as('first_total'),
    (second ? totalOf(second) : sql<null>`NULL`).as('second_total'),
  ];
}

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
    .$if(plan.isBrief === true, (query) =>
      query.select(briefColumns(filter.reactionsOf)).select(totalsOf(filter.branches)),
    )
    .$if(plan.isBrief !== true, (query) => query.select(itemColumns(filter.reactionsOf)).select(versions))
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
  skipped: Count,
) {
  const { filter, strategy, order, window, atMost } = plan;
  const ordered = narrow(kysely.selectFrom('photos'), dialect, filter, branch, strategy)
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
    .$if(dialect.limitsBranches || skipped !== 0, (query) => query.limit(endOf(window)))
    .$if(skipped !== 0, (query) => query.offset(skipped));
  return kysely.selectFrom(reached.as('branch')).select(['branch.id', 'branch.sort_value']);
}

/** No branch has more rows before the page's end than there are. */
function endOf({ limit, offset }: PagePlan['window']) {
  return sql<number>`(CAST(${limit} AS bigint) + CAST(${offset} AS bigint))`;
}
