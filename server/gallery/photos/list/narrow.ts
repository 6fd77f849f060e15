/** A list's conditions on one branch, as SQL. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { SearchIndex } from '../../../platform/db/search.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { taggedWith } from '../query/sql.ts';
import type { Anchor, Branch, ListFilter, SortColumn } from './filter.ts';

type PhotoQuery<Output> = SelectQueryBuilder<Tables, 'photos', Output>;

/**
 * How a page is found. `walk`: rows come in the order of the sort's index and each is tested, which is quick
 * where many match. `fetch`: the matching rows are fetched and sorted, which is quick where few match. The
 * planners cannot know which; adding 0 to a column hides it from their indexes and so decides. `count`: all of it.
 */
export type Strategy = 'walk' | 'fetch' | 'count';

/** Adds the branch's scope and every filter. */
export function narrow<Output>(
  query: PhotoQuery<Output>,
  matches: SearchIndex['matches'],
  filter: ListFilter,
  branch: Branch,
  strategy: Strategy,
): PhotoQuery<Output> {
  const { albumId, tag, keyword, from, to, isPublic, condition, anchor } = filter;
  const id = strategy === 'fetch' ? sql.ref<number>('photos.id') : sql<number>`(photos.id + 0)`;
  // What a query counts is read from the index that holds all that it may ask: not from one by visibility.
  const isHidden = strategy === 'fetch' || (strategy === 'count' && condition !== undefined);

  let narrowed = query.where(scope('visibility', isHidden), '=', branch.visibility);
  if (branch.userId !== undefined)
    narrowed = narrowed.where(scope('user_id', strategy === 'fetch' && !condition), '=', branch.userId);
  if (albumId !== undefined) narrowed = narrowed.where('photos.album_id', '=', albumId);
  if (from !== undefined) narrowed = narrowed.where('photos.create_time', '>=', from);
  if (to !== undefined) narrowed = narrowed.where('photos.create_time', '<', to);
  if (isPublic !== undefined) narrowed = narrowed.where('photos.is_public', '=', isPublic);
  if (tag !== undefined) narrowed = narrowed.where(id, 'in', sql<number>`(${taggedWith(tag, branch)})`);
  if (keyword !== undefined) {
    const found = matches(keyword, branch, strategy === 'walk');
    narrowed = narrowed.where(id, 'in', sql<number>`(SELECT id FROM ${found} AS found)`);
  }
  if (anchor) narrowed = narrowed.where(besides(anchor, filter));
  if (condition && strategy === 'fetch' && !isAsked(filter.column))
    narrowed = narrowed.where(id, 'in', fetched(branch, condition));
  else if (condition) narrowed = narrowed.where(condition(branch, strategy === 'walk'));
  return narrowed;
}

function scope(column: 'visibility' | 'user_id', isHidden: boolean) {
  const plain = sql.ref<number>(`photos.${column}`);
  return isHidden ? sql<number>`(${plain} + 0)` : plain;
}

/** Whether the index with what queries ask has it, too: then sorting takes no look at the table. */
export function isAsked(column: SortColumn): boolean {
  return column === 'create_time' || column === 'taken_time' || column === 'size';
}

/** Found by themselves, whatever they are sorted by: what a query asks stands in one index, what lists show does not. */
function fetched(branch: Branch, condition: NonNullable<ListFilter['condition']>) {
  const owner = branch.userId === undefined ? sql`` : sql`AND photos.user_id = ${branch.userId}`;
  return sql<number>`(SELECT photos.id FROM photos WHERE ${scope('visibility', true)} = ${branch.visibility} ${owner}
    AND ${condition(branch, false)})`;
}

/** What the list's index has on one side of a photo: pairs are compared, so that both databases start there. */
function besides({ id, value, side }: Anchor, { column, order }: ListFilter) {
  const isAfter = (side === 'from') === (order === 'asc');
  const operator = sql.raw(`${isAfter ? '>' : '<'}${side === 'from' ? '=' : ''}`);
  const type = sql.raw(column === 'title_key' ? 'text' : 'bigint');
  return sql<SqlBool>`(${sql.ref(`photos.${column}`)}, photos.id) ${operator} (CAST(${value} AS ${type}), ${id})`;
}
