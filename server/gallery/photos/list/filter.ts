/** Resolves a list request into a filter: the owners, the conditions and the order. */

import type { Deps } from '../../../deps.ts';
import { foldSearchText } from '../../../platform/db/fold.ts';
import type { QueryNumber } from '../../../platform/db/prepared.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { AlbumRow } from '../../../platform/db/tables.ts';
import { errors, invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import { dayEnd, dayStart } from '../../../platform/http/time.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { getVisibleAlbum, isSmartAlbum } from '../../library/albums.ts';
import { listVisibilitiesInAlbum, withoutAdminRights } from '../../library/permissions.ts';
import { visibilitiesOutsideTrash } from '../../library/visibility-rule.ts';
import {
  combineConditions,
  createNoAlbumCondition,
  createSmartAlbumCondition,
  type PhotoCondition,
  readSearchCondition,
} from '../query/condition.ts';
import { findSearchedWords } from '../query/terms.ts';
import type { PhotoListQuery } from '../schema.ts';

/** A set of photos that one index returns in order. A list is the union of one to three branches. */
export interface PhotoListBranch extends SearchScope {
  /** True if the branch has so few photos that the database may fetch and sort them all. */
  isFew?: boolean;
}

export type PhotoSortColumn =
  | 'create_time'
  | 'update_time'
  | 'taken_time'
  | 'views'
  | 'likes'
  | 'favorites'
  | 'downloads'
  | 'size'
  | 'title_key'
  | 'rating'
  | 'position';

/** Returns true if the index for search queries contains the sort column, so that sorting does not read the table. */
export function isInSearchFilterIndex(column: PhotoSortColumn): boolean {
  return column === 'create_time' || column === 'taken_time' || column === 'size';
}

/** The query of a list. `position` is the manual order of an album, and `order` defaults to 'asc' for that sort. */
export type PhotoListRequest = Omit<PhotoListQuery, 'sort' | 'order'> & {
  sort: PhotoListQuery['sort'] | 'position';
  order?: PhotoListQuery['order'] | undefined;
};

/**
 * Position of a photo in a sorted list: its sort value and its id. `before` means the rows before the photo, and `from`
 * means the photo and the rows after it.
 */
export interface PhotoListAnchor {
  id: number;
  value: string | number;
  side: 'before' | 'from';
}

export interface PhotoListFilter {
  branches: PhotoListBranch[];
  column: PhotoSortColumn;
  order: 'asc' | 'desc';
  /** Words of the query, as typed, if the list is sorted by relevance. `column` then sorts photos of equal rank. */
  rankedWords?: string[] | undefined;
  albumId: number | undefined;
  /** Tag that photos must have, folded so that case does not matter. */
  tag?: string | undefined;
  /** Text that photos must contain, folded so that case does not matter, and never empty. */
  keyword?: string | undefined;
  /** Earliest upload time, inclusive, in Unix seconds. The latest time, `to`, is exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  isPublic?: number | undefined;
  /** Condition from the client's search query, from the rule of a smart album, or from both. */
  condition?: PhotoCondition | undefined;
  /** Restricts the list to the photos on one side of a given photo. */
  anchor?: PhotoListAnchor | undefined;
  /** True if the list includes photos of disabled accounts that are not removed from the indexes yet. */
  showsDisabled: boolean;
  /** Id of the viewer; 0 is anonymous. */
  viewerId: QueryNumber;
  /** Id of the user whose likes and favorites the items show; 0 for none. */
  reactionViewerId: QueryNumber;
}

/**
 * Resolves a list request. An admin sees all photos of an album, and otherwise what every member sees. Throws
 * unauthenticated if an anonymous viewer asks for private photos. Otherwise throws albumNotFound, albumForbidden,
 * invalid for `q` or `sort`, or QueryTooSlow.
 */
export async function resolvePhotoListFilter(
  deps: Deps,
  viewer: Viewer | undefined,
  query: PhotoListRequest,
): Promise<PhotoListFilter> {
  if (query.is_public === 0 && !viewer) throw errors.unauthenticated();
  const rankedWords = query.sort === 'relevance' ? readRankedWords(query.q) : undefined;
  const album = query.album_id ? await getVisibleAlbum(deps, viewer, query.album_id) : undefined;
  const reader = album ? viewer : withoutAdminRights(viewer);
  const seesAllRatings = viewer?.isAdmin === true;
  const owner = chooseOwner(viewer, query);
  const asked =
    query.q === undefined ? undefined : await readSearchCondition(deps, reader, query.q, { seesAllRatings });
  const hasRule = album !== undefined && isSmartAlbum(album);
  const condition = combineConditions(
    hasRule ? createSmartAlbumCondition(deps, album) : undefined,
    asked,
    query.album_id === 0 ? createNoAlbumCondition(deps, viewer) : undefined,
  );
  const albumId = hasRule ? undefined : query.album_id || undefined;
  const branches = album
    ? albumBranches(viewer, album, owner, query.is_public)
    : chooseVisibleBranches(viewer, owner, query.is_public);
  return {
    branches,
    ...chooseOrder({ ...query, sort: chooseSort(viewer, query, album?.user_id ?? owner) }, hasRule),
    showsDisabled: reader?.isAdmin === true,
    viewerId: viewer?.id ?? 0,
    reactionViewerId: viewer?.id ?? 0,
    albumId,
    tag: query.tag === undefined ? undefined : foldSearchText(query.tag.trim()),
    keyword: query.keyword === undefined ? undefined : foldSearchText(query.keyword.trim()) || undefined,
    from: query.date_from === undefined ? undefined : dayStart(query.date_from),
    to: query.date_to === undefined ? undefined : dayEnd(query.date_to),
    isPublic: query.is_public,
    condition,
    rankedWords,
  };
}

/** Returns the words that photos are ranked by. Throws invalid without a query. */
function readRankedWords(q = ''): string[] {
  if (q.trim() === '') throw invalidFieldsError({ sort: ['relevance needs the parameter q'] });
  return findSearchedWords(q);
}

/** Resolves a list request of an admin about all photos outside the trash. */
export async function resolveAdminListFilter(
  deps: Deps,
  viewer: Viewer | undefined,
  query: PhotoListRequest,
): Promise<PhotoListFilter> {
  const { user_id } = query;
  const branches = visibilitiesOutsideTrash.map((visibility) => ({
    visibility,
    ...(user_id !== undefined && { userId: user_id }),
  }));
  return { ...(await resolvePhotoListFilter(deps, viewer, query)), branches, showsDisabled: true };
}

/**
 * Returns the filter for all photos of an album that the viewer can see, in the album's order. The items do not show
 * the viewer's likes.
 */
export function createAlbumFilter(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  album: AlbumToList,
): PhotoListFilter {
  const hasRule = isSmartAlbum(album);
  const condition = hasRule ? createSmartAlbumCondition(deps, album) : undefined;
  const albumId = hasRule ? undefined : album.id;
  return {
    branches: albumBranches(viewer, album, undefined, undefined),
    ...chooseOrder({ sort: 'position' }, hasRule),
    albumId,
    condition,
    showsDisabled: false,
    viewerId: viewer?.id ?? 0,
    reactionViewerId: 0,
  };
}

/** Columns of an album that its photo list needs. `rule` is null for an ordinary album. */
export type AlbumToList = Pick<AlbumRow, 'id' | 'user_id' | 'rule'>;

/** Returns the sort column and direction. A smart album has no manual order, so its newest photos come first. */
function chooseOrder(
  { sort, order }: Pick<PhotoListRequest, 'sort' | 'order'>,
  hasRule: boolean,
): Pick<PhotoListFilter, 'column' | 'order'> {
  if (sort === 'position' && hasRule) return { column: 'create_time', order: order ?? 'desc' };
  const column = sort === 'title' ? 'title_key' : sort === 'relevance' ? 'create_time' : sort;
  return { column, order: order ?? (sort === 'position' ? 'asc' : 'desc') };
}

/**
 * Returns the sort key of a list. The order by rating would tell ratings, so everyone but admins has that order only in
 * lists of their own photos. The photos of all users have no such order, because no index has it.
 */
function chooseSort(
  viewer: Viewer | undefined,
  { sort }: Pick<PhotoListRequest, 'sort'>,
  owner: number | undefined,
): PhotoListRequest['sort'] {
  if (sort !== 'rating') return sort;
  const isSeen = owner !== undefined && viewer !== undefined && (viewer.isAdmin || viewer.id === owner);
  return isSeen ? 'rating' : 'create_time';
}

/**
 * Returns the owner that the list is restricted to. A request with `is_public` and without owner or album means the
 * viewer's own photos.
 */
function chooseOwner(viewer: Viewer | undefined, query: PhotoListRequest): number | undefined {
  const isAlone = query.is_public !== undefined && query.user_id === undefined && !query.album_id;
  return isAlone ? viewer?.id : query.user_id;
}

/**
 * Returns the branches of a list: everyone's public photos, the photos for members if the viewer is signed in, and the
 * viewer's own private photos. Admins have no further rights here.
 */
export function chooseVisibleBranches(
  viewer: Viewer | undefined,
  owner: number | undefined,
  isPublic?: number,
): PhotoListBranch[] {
  const of = owner === undefined ? {} : { userId: owner };
  const open: PhotoListBranch[] = isPublic === 0 ? [] : [{ visibility: Visibility.public, ...of }];
  if (!viewer) return open;
  const shown: PhotoListBranch[] = [...open, { visibility: Visibility.members, ...of }];
  if (owner !== undefined && owner !== viewer.id) return shown;
  return [...shown, { visibility: Visibility.private, userId: viewer.id }];
}

/**
 * Returns the branches of an album's list. All photos of an ordinary album belong to its owner, so a condition on the
 * owner is omitted. A smart album needs that condition,
 * because it contains no photos.
 */
function albumBranches(
  viewer: Viewer | undefined,
  album: AlbumToList,
  owner: number | undefined,
  isPublic: number | undefined,
): PhotoListBranch[] {
  if (owner !== undefined && owner !== album.user_id) return [];
  return listVisibilitiesInAlbum(viewer, album)
    .filter((visibility) => isPublic !== 0 || visibility !== Visibility.public)
    .map((visibility) => (isSmartAlbum(album) ? { visibility, userId: album.user_id } : { visibility }));
}

/** Returns true if a filter other than the viewer and the owner restricts the list. */
export function hasFilterConditions(filter: PhotoListFilter): boolean {
  const { albumId, tag, keyword, from, to, isPublic, condition } = filter;
  return [albumId, tag, keyword, from, to, isPublic, condition].some((one) => one !== undefined);
}
