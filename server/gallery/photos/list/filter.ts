/** What a list request asks for, resolved: whose photos, which of them, in which order. */

import type { RawBuilder, SqlBool } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { fold } from '../../../platform/db/fold.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { AlbumRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { dayEnd, dayStart } from '../../../platform/http/time.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { getVisibleAlbum } from '../../library/albums.ts';
import { photoCountFor, shownTo } from '../../library/permissions.ts';
import { parseQuery } from '../query/parse.ts';
import { queryCondition } from '../query/sql.ts';
import type { ListQuery } from '../schema.ts';

/** A set of photos that one index holds in order. A list is the union of at most two of them. */
export type Branch = SearchScope;

export type SortColumn =
  | 'create_time'
  | 'update_time'
  | 'taken_time'
  | 'views'
  | 'likes'
  | 'favorites'
  | 'downloads'
  | 'size'
  | 'title_key'
  | 'album_position';

/** A list's query; `position` is the order of an album. */
export type ListRequest = Omit<ListQuery, 'sort'> & { sort: ListQuery['sort'] | 'position' };

/** A photo's place in a list: what it is sorted by, and its id. `from`: with the photo itself. */
export interface Anchor {
  id: number;
  value: string | number;
  side: 'before' | 'from';
}

const columns = { title: 'title_key', position: 'album_position' } as const;

export interface ListFilter {
  branches: Branch[];
  column: SortColumn;
  order: 'asc' | 'desc';
  albumId: number | undefined;
  /** Folded. */
  tag?: string | undefined;
  /** Folded, not empty. */
  keyword?: string | undefined;
  /** Seconds: from inclusive, to exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  isPublic?: number | undefined;
  /** A query, as a condition on the photos of a branch. `isTested`: see `Asked`. */
  condition?: ((branch: Branch, isTested: boolean) => RawBuilder<SqlBool>) | undefined;
  /** Only what stands on one side of a photo. */
  anchor?: Anchor | undefined;
  /** Whether photos of accounts that were disabled a moment ago, and still are in the indexes, are shown. */
  showsDisabled: boolean;
  /** 0 is anonymous. */
  viewerId: number | RawBuilder<number>;
  /** Whose likes and favorites the items tell: the viewer's, 0 for none. */
  reactionsOf: number | RawBuilder<number>;
  /** Where it is kept: of an album without further filters. */
  knownTotal?: number | undefined;
}

/** Throws unauthenticated (private ones without a token), albumNotFound or albumForbidden. */
export async function readFilter(
  deps: Deps,
  viewer: Viewer | undefined,
  query: ListRequest,
): Promise<ListFilter> {
  if (query.is_public === 0 && !viewer) throw errors.unauthenticated();
  const album =
    query.album_id === undefined ? undefined : await getVisibleAlbum(deps, viewer, query.album_id);
  const owner = ownerOf(viewer, query);
  return {
    branches: album
      ? branchesOfAlbum(viewer, album, owner, query.is_public)
      : branchesFor(viewer, owner, query.is_public),
    column: columnOf(query.sort),
    showsDisabled: viewer?.isAdmin === true,
    viewerId: viewer?.id ?? 0,
    reactionsOf: viewer?.id ?? 0,
    knownTotal: album && knownTotalOf(viewer, album, query),
    order: query.order,
    albumId: query.album_id,
    tag: query.tag === undefined ? undefined : fold(query.tag.trim()),
    keyword: query.keyword === undefined ? undefined : fold(query.keyword.trim()) || undefined,
    from: query.date_from === undefined ? undefined : dayStart(query.date_from),
    to: query.date_to === undefined ? undefined : dayEnd(query.date_to),
    isPublic: query.is_public,
    condition: query.q === undefined ? undefined : readCondition(deps, viewer, query.q),
  };
}

/** Undefined for a query that asks for nothing. */
export function readCondition(
  { db }: Deps,
  viewer: Viewer | undefined,
  text: string,
): ListFilter['condition'] {
  const query = parseQuery(text);
  const viewerId = viewer?.id ?? 0;
  return query && ((scope, isTested) => queryCondition(query, { db, viewerId, scope, isTested }));
}

function columnOf(sort: ListRequest['sort']): SortColumn {
  return sort === 'title' || sort === 'position' ? columns[sort] : sort;
}

/** `is_public` alone is about the viewer's photos. */
function ownerOf(viewer: Viewer | undefined, query: ListRequest): number | undefined {
  const isAlone =
    query.is_public !== undefined && query.user_id === undefined && query.album_id === undefined;
  return isAlone ? viewer?.id : query.user_id;
}

/** Everybody's public photos, and the private ones that this viewer may see. */
export function branchesFor(
  viewer: Viewer | undefined,
  owner: number | undefined,
  isPublic?: number,
): Branch[] {
  const of = owner === undefined ? {} : { userId: owner };
  const open: Branch[] = isPublic === 0 ? [] : [{ visibility: Visibility.public, ...of }];
  if (!viewer) return open;
  if (viewer.isAdmin) return [...open, { visibility: Visibility.private, ...of }];
  if (owner !== undefined && owner !== viewer.id) return open;
  return [...open, { visibility: Visibility.private, userId: viewer.id }];
}

/** An album's photos are all of its owner: naming them once more would let the planner leave the album's index. */
function branchesOfAlbum(
  viewer: Viewer | undefined,
  album: AlbumRow,
  owner: number | undefined,
  isPublic: number | undefined,
): Branch[] {
  if (owner !== undefined && owner !== album.user_id) return [];
  return shownTo(viewer, album)
    .filter((visibility) => isPublic !== 0 || visibility !== Visibility.public)
    .map((visibility) => ({ visibility }));
}

/** The album's own counts, where no filter asks for less. */
function knownTotalOf(
  viewer: Viewer | undefined,
  album: AlbumRow,
  { user_id, tag, keyword, date_from, date_to, is_public, q }: ListRequest,
): number | undefined {
  const others = [user_id, tag, keyword, date_from, date_to, is_public, q];
  if (others.some((value) => value !== undefined)) return undefined;
  return photoCountFor(viewer, album);
}
