/** A list as SQL: the conditions on one branch, a page, and a page with its total. One SQL for both databases. */
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { OpenedDatabase } from '../../../platform/db/dialect.ts';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { accountIsEnabled, isNotHiddenSince } from '../../library/visible.ts';
import type { Branch } from '../query/condition.ts';
import { indexedBy, scopeCondition } from '../query/lead.ts';
import { taggedWith } from '../query/sql.ts';
import { type Anchor, isInFilterIndex, type ListFilter } from './filter.ts';
import { itemColumns } from './item.ts';

type PhotoQuery<Output> = SelectQueryBuilder<Tables, 'photos', Output>;

/**
 * How a page is found. `walk`: rows come in the order of the sort's index and each is tested, which is quick
 * where many match. `fetch`: the matching rows are fetched and sorted, which is quick where few match. The
 * planners cannot know which; adding 0 to a column hides it from their indexes and so decides. `count`: all of it.
 */
export type Strategy = 'walk' | 'fetch' | 'count';

/** What the database does in its own way. */
export type Dialect = Pick<OpenedDatabase, 'search' | 'deadlineCheck' | 'isAmong' | 'hidden'>;

/** All that a branch has of a list, from where it is found quickest: narrowed as for `count`. */
export function foundIn(
  from: Kysely<Tables> | ExpressionBuilder<Tables, never>,
  db: Dialect,
  filter: ListFilter,
  branch: Branch,
): PhotoQuery<object> {
  const { isPublic, anchor, column } = filter;
  const { texts } = db.search;
  const isAskedOfTexts = isPublic === undefined && (!anchor || isInFilterIndex(column));
  if (!texts || !branch.words || !isAskedOfTexts) {
    return narrow(from.selectFrom('photos'), db, filter, branch, 'count');
  }
  const photos = from.selectFrom(texts.photos.as('photos')) as unknown as PhotoQuery<object>;
  return narrow(photos, db, filter, { ...branch, lead: branch.words, isOfTexts: true }, 'count');
}

/** Adds the branch's scope and every filter. */
export function narrow<Output>(
  query: PhotoQuery<Output>,
  db: Dialect,
  filter: ListFilter,
  branch: Branch,
  strategy: Strategy,
): PhotoQuery<Output> {
  const { albumId, tag, keyword, from, to, isPublic, condition, anchor } = filter;
  if (condition && strategy === 'fetch' && (branch.lead || !isInFilterIndex(filter.column))) {
    // Found by themselves, whatever they are sorted by: what a query asks stands in one index, what lists show does not.
    return query.where((is) =>
      is(
        'photos.id',
        'in',
        foundIn(is as unknown as ExpressionBuilder<Tables, never>, db, filter, branch).select('photos.id'),
      ),
    );
  }
  const isFound = condition !== undefined && strategy !== 'walk';
  const isFetched = strategy === 'fetch';
  const indexed = isFound ? indexedBy(branch.lead) : { visibility: !isFetched, owner: !isFetched };
  const shown = (column: 'photos.album_id' | 'photos.create_time', isShown: boolean) =>
    isShown ? sql.ref<number>(column) : db.hidden(column);
  const id = isFetched ? sql.ref<number>('photos.id') : sql<number>`(photos.id + 0)`;

  const hidden = isFound && !branch.lead ? db.hidden : hiddenAlways;

  let narrowed = query.where(scopeCondition(hidden, branch, indexed));
  if (albumId !== undefined)
    narrowed = narrowed.where(shown('photos.album_id', !isFound || branch.lead === 'album'), '=', albumId);
  if (from !== undefined) narrowed = narrowed.where(shown('photos.create_time', !isFound), '>=', from);
  if (to !== undefined) narrowed = narrowed.where(shown('photos.create_time', !isFound), '<', to);
  if (isPublic !== undefined) narrowed = narrowed.where('photos.is_public', '=', isPublic);
  if (tag !== undefined) narrowed = narrowed.where(id, 'in', sql<number>`(${taggedWith(tag, branch)})`);
  if (keyword !== undefined) {
    const found = db.search.matches(keyword, branch, strategy === 'walk');
    narrowed = narrowed.where(id, 'in', sql<number>`(SELECT id FROM ${found} AS found)`);
  }
  if (anchor) narrowed = narrowed.where(besides(anchor, filter, isFound));
  if (condition) narrowed = narrowed.where(condition.where(branch, strategy === 'walk'));
  return narrowed;
}

/**
 * Few photos are to be fetched: no planner shall take the order of a list for the quicker way to them. PostgreSQL expects
 * few then, as it should.
 */
function hiddenAlways(column: string) {
  return sql<number>`(${sql.ref(column)} + 0)`;
}

/** What the list's index has on one side of a photo: pairs are compared, so that both databases start there. */
function besides({ id, value, side }: Anchor, { column, order }: ListFilter, isHidden: boolean) {
  const isAfter = (side === 'from') === (order === 'asc');
  const operator = sql.raw(`${isAfter ? '>' : '<'}${side === 'from' ? '=' : ''}`);
  const [type, nothing] = column === 'title_key' ? ['text', sql`|| ''`] : ['bigint', sql`+ 0`];
  const shown = sql.ref(`photos.${column}`);
  return sql<SqlBool>`(${isHidden ? sql`${shown} ${nothing}` : shown}, photos.id)
    ${operator} (CAST(${value} AS ${sql.raw(type)}), ${id})`;
}

export interface PagePlan {
  filter: ListFilter;
  strategy: Strategy;
  /** The list's order, or its reverse when the page is nearer to the list's end. */
  order: 'asc' | 'desc';
  /** `offset`: rows of the merged branches before the page. */
  window: { limit: QueryNumber; offset: QueryNumber };
  /** Rows of the first branch that are passed over before it is merged with the others. */
  skipped: QueryNumber;
  /** As many rows of each branch, or more, may stand before the page's end. */
  atMost: QueryNumber;
}

/** The ids come from the indexes in the list's order; then the rows of these photos are read. */
export function pageQuery(kysely: Kysely<Tables>, dialect: Dialect, plan: PagePlan) {
  const { filter, window, order } = plan;
  const page = unionOf(
    filter.branches.map((branch, index) =>
      kysely
        .selectFrom(
          narrow(kysely.selectFrom('photos'), dialect, filter, branch, plan.strategy)
            .select((photo) => ['photos.id', photo.ref(`photos.${filter.column}`).as('sort_value')])
            .orderBy(sql.ref('sort_value'), order)
            .orderBy('photos.id', order)
            // A limit of its own: PostgreSQL would sort all of the branch.
            .limit(plan.atMost)
            .offset(index === 0 ? plan.skipped : sql.lit(0))
            .as('branch'),
        )
        .select(['branch.id', 'branch.sort_value']),
    ),
  )
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
    .$if(!filter.showsDisabled, (item) =>
      item.where(accountIsEnabled).where(isNotHiddenSince(filter.viewerId)),
    )
    .orderBy('page.sort_value', filter.order)
    .orderBy('page.id', filter.order);
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
        unionOf(
          filter.branches.map((branch) =>
            foundIn(kysely, dialect, filter, branch).select((photo) => [
              'photos.id',
              photo.ref(`photos.${column}`).as('sort_value'),
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
          // In this order: SQLite, which expects many rows of `found`, would begin with all photos.
          .crossJoin('photos')
          .whereRef('photos.id', '=', 'page.id')
          .crossJoin('users')
          .whereRef('users.id', '=', 'photos.user_id')
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

function unionOf<Output>([first, ...others]: SelectQueryBuilder<never, never, Output>[]) {
  return others.reduce((all, other) => all.unionAll(other), first!);
}
