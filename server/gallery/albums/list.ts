/** Lists the albums that the viewer can see, in the order of an index and with an exact total. */

import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { containing, fold } from '../../platform/db/fold.ts';
import { countRows } from '../../platform/db/rows.ts';
import { type ListedVisibility, Visibility } from '../../platform/db/states.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { createPagination, toWindow, type Window } from '../../platform/http/pagination.ts';
import type { Viewer } from '../identity/viewer.ts';
import { getVisibleAlbum } from '../library/albums.ts';
import { accountIsEnabled, albumVisibilityNow } from '../library/visibility-sql.ts';
import { type AlbumItemRow, presentAlbums } from './present.ts';
import type { AlbumSort, ListQuery } from './schema.ts';

export interface AlbumFilter {
  keyword?: string | undefined;
  user_id?: number | undefined;
  /** Id of the album that contains the listed albums, or 0 for albums at the top. */
  parent_id?: number | undefined;
  sort: AlbumSort;
  order: 'asc' | 'desc';
}

/** Returns a page of albums. Throws albumNotFound or albumForbidden if the viewer cannot see the parent. */
export async function listAlbums(deps: Deps, viewer: Viewer | undefined, query: ListQuery) {
  if (query.parent_id) await getVisibleAlbum(deps, viewer, query.parent_id);
  const total = await countAlbums(deps, viewer, query);
  const window = toWindow(query);
  const rows = window.offset < total ? await findAlbums(deps, viewer, query, window) : [];
  return { list: await presentAlbums(deps, viewer, rows), pagination: createPagination(query, total) };
}

/**
 * Group of albums that one index holds in the requested order. `counts` names the counter of the photos that the
 * viewer can see.
 */
interface AlbumScope {
  visibility: ListedVisibility;
  userId?: number;
  exceptUserId?: number;
  counts: 'photo_count' | 'public_count';
}

/** Returns groups of albums that together contain every album that the viewer can see, each album once. */
function scopesFor(viewer: Viewer | undefined, userId: number | undefined): AlbumScope[] {
  const of = userId === undefined ? {} : { userId };
  const all = (own: { userId?: number }): AlbumScope[] => [
    { visibility: Visibility.public, ...own, counts: 'photo_count' },
    { visibility: Visibility.private, ...own, counts: 'photo_count' },
  ];
  if (!viewer) return [{ visibility: Visibility.public, ...of, counts: 'public_count' }];
  if (viewer.isAdmin || userId === viewer.id) return all(of);
  if (userId !== undefined) return [{ visibility: Visibility.public, userId, counts: 'public_count' }];
  return [
    { visibility: Visibility.public, exceptUserId: viewer.id, counts: 'public_count' },
    ...all({ userId: viewer.id }),
  ];
}

async function countAlbums({ db }: Deps, viewer: Viewer | undefined, filter: AlbumFilter): Promise<number> {
  const counts = await Promise.all(
    scopesFor(viewer, filter.user_id).map((scope) =>
      countRows(applyFilter(db.slow().selectFrom('albums'), filter, scope)),
    ),
  );
  return counts.reduce((sum, n) => sum + n, 0);
}

export async function findAlbums(
  { db }: Deps,
  viewer: Viewer | undefined,
  filter: AlbumFilter,
  { limit, offset }: Window,
): Promise<AlbumItemRow[]> {
  const [first, ...others] = scopesFor(viewer, filter.user_id).map((scope) =>
    scopeQuery(db.slow(), filter, scope, limit + offset),
  );
  let found = first!;
  for (const other of others) found = found.unionAll(other);
  const page = found
    .orderBy(sql.ref('sort_value'), filter.order)
    .orderBy('id', filter.order)
    .limit(limit)
    .offset(offset)
    .as('page');
  return (
    db
      .slow()
      .selectFrom(page)
      .innerJoin('albums', 'albums.id', 'page.id')
      .innerJoin('users', 'users.id', 'albums.user_id')
      .selectAll('albums')
      .select(albumVisibilityNow())
      .select(['users.status as owner_status', 'users.username', 'users.nickname', 'users.avatar'])
      // Check the accounts, because the index may still contain albums of an account that was disabled a moment
      // ago.
      .$if(!viewer?.isAdmin, (query) => query.where(accountIsEnabled))
      .orderBy('page.sort_value', filter.order)
      .orderBy('page.id', filter.order)
      .execute()
  );
}

function scopeQuery(kysely: Kysely<Tables>, filter: AlbumFilter, scope: AlbumScope, max: number) {
  const column = sortColumn(filter.sort, scope);
  const ordered = applyFilter(kysely.selectFrom('albums'), filter, scope)
    .select(['albums.id', sql<number | string>`${sql.ref(`albums.${column}`)}`.as('sort_value')])
    .orderBy(`albums.${column}`, filter.order)
    .orderBy('albums.id', filter.order)
    .limit(max);
  return kysely.selectFrom(ordered.as('scope')).select(['scope.id', 'scope.sort_value']);
}

function sortColumn(sort: AlbumSort, scope: AlbumScope) {
  if (sort === 'name') return 'name_key';
  return sort === 'photo_count' ? scope.counts : sort;
}

type AlbumQuery<Output> = SelectQueryBuilder<Tables, 'albums', Output>;

function applyFilter<Output>(
  query: AlbumQuery<Output>,
  { keyword, parent_id }: AlbumFilter,
  { visibility, userId, exceptUserId }: AlbumScope,
): AlbumQuery<Output> {
  let narrowed = query.where('albums.visibility', '=', visibility);
  if (userId !== undefined) narrowed = narrowed.where('albums.user_id', '=', userId);
  if (exceptUserId !== undefined) narrowed = narrowed.where('albums.user_id', '<>', exceptUserId);
  if (parent_id === 0) narrowed = narrowed.where('albums.parent_id', 'is', null);
  else if (parent_id !== undefined) narrowed = narrowed.where('albums.parent_id', '=', parent_id);
  const folded = keyword && fold(keyword.trim());
  if (folded) narrowed = narrowed.where(containing('albums.search_text', folded));
  return narrowed;
}
