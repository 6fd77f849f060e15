/** Lists the albums that the viewer can see, in the order of an index and with an exact total. */

import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { containsFolded, foldSearchText } from '../../platform/db/fold.ts';
import { countRows } from '../../platform/db/rows.ts';
import { Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { createPagination, type RowWindow, toRowWindow } from '../../platform/http/pagination.ts';
import type { Viewer } from '../identity/viewer.ts';
import { getVisibleAlbum } from '../library/albums.ts';
import { canManageItem, withoutAdminRights } from '../library/permissions.ts';
import { accountEnabledCondition, albumCurrentVisibilityColumn } from '../library/visibility-sql.ts';
import { albumPhotoCountSql } from './photo-counts.ts';
import { type AlbumItemRow, presentAlbums } from './present.ts';
import type { AlbumListQuery, AlbumSort } from './schema.ts';

export interface AlbumFilter {
  keyword?: string | undefined;
  user_id?: number | undefined;
  /** Id of the album that contains the listed albums, or 0 for albums at the top. */
  parent_id?: number | undefined;
  sort: AlbumSort;
  order: 'asc' | 'desc';
}

/**
 * Returns a page of albums. An admin sees all albums in one parent, and otherwise what every member sees. Throws
 * albumNotFound or albumForbidden if the viewer cannot see the parent.
 */
export async function listAlbums(deps: Deps, viewer: Viewer | undefined, query: AlbumListQuery) {
  const parent = query.parent_id ? await getVisibleAlbum(deps, viewer, query.parent_id) : undefined;
  const reader = parent ? viewer : withoutAdminRights(viewer);
  const filter = { ...query, user_id: query.user_id ?? parent?.user_id };
  const total = await countAlbums(deps, reader, filter);
  const window = toRowWindow(query);
  const rows = window.offset < total ? await findAlbums(deps, reader, filter, window) : [];
  return { list: await presentAlbums(deps, reader, rows), pagination: createPagination(query, total) };
}

/** Group of albums that one index holds in the requested order. */
interface AlbumScope {
  visibility: VisibilityOutsideTrash;
  userId?: number;
}

/**
 * Returns groups of albums that together contain every album that the viewer can see. An admin sees the private albums
 * of one owner, if the list is restricted to that owner.
 */
function scopesFor(viewer: Viewer | undefined, userId: number | undefined): AlbumScope[] {
  const owner = userId === undefined ? {} : { userId };
  const open: AlbumScope[] = [{ visibility: Visibility.public, ...owner }];
  if (!viewer) return open;
  const shown: AlbumScope[] = [...open, { visibility: Visibility.members, ...owner }];
  const hidden = userId ?? viewer.id;
  return canManageItem(viewer, { user_id: hidden })
    ? [...shown, { visibility: Visibility.private, userId: hidden }]
    : shown;
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
  { limit, offset }: RowWindow,
): Promise<AlbumItemRow[]> {
  const [first, ...others] = scopesFor(viewer, filter.user_id).map((scope) =>
    scopeQuery(db.slow(), viewer, filter, scope, limit + offset),
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
      .select(albumCurrentVisibilityColumn())
      .select(['users.status as owner_status', 'users.username', 'users.nickname', 'users.avatar'])
      // Check the accounts, because the index may still contain albums of an account that was disabled a moment
      // ago.
      .$if(!viewer?.isAdmin, (query) => query.where(accountEnabledCondition))
      .orderBy('page.sort_value', filter.order)
      .orderBy('page.id', filter.order)
      .execute()
  );
}

function scopeQuery(
  kysely: Kysely<Tables>,
  viewer: Viewer | undefined,
  filter: AlbumFilter,
  scope: AlbumScope,
  max: number,
) {
  const ordered = applyFilter(kysely.selectFrom('albums'), filter, scope)
    .select(['albums.id', sortValue(viewer, filter.sort).as('sort_value')])
    .orderBy(sql.ref('sort_value'), filter.order)
    .orderBy('albums.id', filter.order)
    .limit(max);
  return kysely.selectFrom(ordered.as('scope')).select(['scope.id', 'scope.sort_value']);
}

function sortValue(viewer: Viewer | undefined, sort: AlbumSort) {
  if (sort === 'photo_count') return albumPhotoCountSql(viewer);
  return sql<number | string>`${sql.ref(`albums.${sort === 'name' ? 'name_key' : sort}`)}`;
}

type AlbumQuery<Output> = SelectQueryBuilder<Tables, 'albums', Output>;

function applyFilter<Output>(
  query: AlbumQuery<Output>,
  { keyword, parent_id }: AlbumFilter,
  { visibility, userId }: AlbumScope,
): AlbumQuery<Output> {
  let narrowed = query.where('albums.visibility', '=', visibility);
  if (userId !== undefined) narrowed = narrowed.where('albums.user_id', '=', userId);
  if (parent_id === 0) narrowed = narrowed.where('albums.parent_id', 'is', null);
  else if (parent_id !== undefined) narrowed = narrowed.where('albums.parent_id', '=', parent_id);
  const folded = keyword && foldSearchText(keyword.trim());
  if (folded) narrowed = narrowed.where(containsFolded('albums.search_text', folded));
  return narrowed;
}
