/** What a list request asks for, resolved: whose photos, which of them, in which order. */

import type { Deps } from '../../../deps.ts';
import { fold } from '../../../platform/db/fold.ts';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { AlbumRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { dayEnd, dayStart } from '../../../platform/http/time.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { getVisibleAlbum, isSmart } from '../../library/albums.ts';
import { shownTo } from '../../library/permissions.ts';
import { albumCondition, both, type PhotoCondition, readCondition } from '../query/condition.ts';
import type { ListQuery } from '../schema.ts';

/** A set of photos that one index holds in order. A list is the union of at most two of them. */
export interface Branch extends SearchScope {
  /** The branch has so few photos that they may be fetched and sorted. */
  isFew?: boolean;
}

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

/** Whether the index with the columns of queries has the column: sorting then does not read the table. */
export function isInFilterIndex(column: SortColumn): boolean {
  return column === 'create_time' || column === 'taken_time' || column === 'size';
}

/** A list's query; `position` is the order of an album, from its first photo where `order` does not say. */
export type ListRequest = Omit<ListQuery, 'sort' | 'order'> & {
  sort: ListQuery['sort'] | 'position';
  order?: ListQuery['order'] | undefined;
};

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
  /** What a client, or the rule of a smart album, asks for. */
  condition?: PhotoCondition | undefined;
  /** Only what stands on one side of a photo. */
  anchor?: Anchor | undefined;
  /** Whether photos of accounts that were disabled a moment ago, and still are in the indexes, are shown. */
  showsDisabled: boolean;
  /** 0 is anonymous. */
  viewerId: QueryNumber;
  /** Whose likes and favorites the items tell: the viewer's, 0 for none. */
  reactionsOf: QueryNumber;
}

/** Throws unauthenticated (private ones without a token), albumNotFound, albumForbidden, invalid naming `q`, QueryTooSlow. */
export async function readFilter(
  deps: Deps,
  viewer: Viewer | undefined,
  query: ListRequest,
): Promise<ListFilter> {
  if (query.is_public === 0 && !viewer) throw errors.unauthenticated();
  const album =
    query.album_id === undefined ? undefined : await getVisibleAlbum(deps, viewer, query.album_id);
  const owner = ownerOf(viewer, query);
  const asked = query.q === undefined ? undefined : await readCondition(deps, viewer, query.q);
  const hasRule = album !== undefined && isSmart(album);
  const condition = hasRule ? both(albumCondition(deps, album), asked) : asked;
  const albumId = hasRule ? undefined : query.album_id;
  const branches = album
    ? branchesOfAlbum(viewer, album, owner, query.is_public)
    : branchesFor(viewer, owner, query.is_public);
  return {
    branches,
    ...orderOf(query, hasRule),
    showsDisabled: viewer?.isAdmin === true,
    viewerId: viewer?.id ?? 0,
    reactionsOf: viewer?.id ?? 0,
    albumId,
    tag: query.tag === undefined ? undefined : fold(query.tag.trim()),
    keyword: query.keyword === undefined ? undefined : fold(query.keyword.trim()) || undefined,
    from: query.date_from === undefined ? undefined : dayStart(query.date_from),
    to: query.date_to === undefined ? undefined : dayEnd(query.date_to),
    isPublic: query.is_public,
    condition,
  };
}

/** All of an album's photos that a viewer may see, in its order, as for those whose likes are not told. */
export function filterOfAlbum(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  album: ListedAlbum,
): ListFilter {
  const hasRule = isSmart(album);
  const condition = hasRule ? albumCondition(deps, album) : undefined;
  const albumId = hasRule ? undefined : album.id;
  return {
    branches: branchesOfAlbum(viewer, album, undefined, undefined),
    ...orderOf({ sort: 'position' }, hasRule),
    albumId,
    condition,
    showsDisabled: false,
    viewerId: viewer?.id ?? 0,
    reactionsOf: 0,
  };
}

export type ListedAlbum = Pick<AlbumRow, 'id' | 'user_id' | 'rule'>;

/** The photos of a smart album have no order by hand: the newest come first. */
function orderOf(
  { sort, order }: Pick<ListRequest, 'sort' | 'order'>,
  hasRule: boolean,
): Pick<ListFilter, 'column' | 'order'> {
  if (sort === 'position' && hasRule) return { column: 'create_time', order: order ?? 'desc' };
  const column = sort === 'title' || sort === 'position' ? columns[sort] : sort;
  return { column, order: order ?? (sort === 'position' ? 'asc' : 'desc') };
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

/**
 * An album's photos are all of its owner: naming them once more would let the planner leave the album's index. Those of
 * a smart one are in none.
 */
function branchesOfAlbum(
  viewer: Viewer | undefined,
  album: ListedAlbum,
  owner: number | undefined,
  isPublic: number | undefined,
): Branch[] {
  if (owner !== undefined && owner !== album.user_id) return [];
  return shownTo(viewer, album)
    .filter((visibility) => isPublic !== 0 || visibility !== Visibility.public)
    .map((visibility) => (isSmart(album) ? { visibility, userId: album.user_id } : { visibility }));
}

/** Whether anything but the viewer, an owner and the order says which photos are in the list. */
export function isNarrowed(filter: ListFilter): boolean {
  return filter.albumId !== undefined || isNarrowedFurther(filter);
}

/** Whether anything but the viewer, an owner, an album and the order narrows the list. */
export function isNarrowedFurther(filter: ListFilter): boolean {
  const { tag, keyword, from, to, isPublic, condition } = filter;
  return [tag, keyword, from, to, isPublic, condition].some((one) => one !== undefined);
}
