/** What a list request asks for, resolved: whose photos, which of them, in which order. */
import type { Viewer } from '../auth/viewer.ts';
import { fold } from '../db/fold.ts';
import type { SearchScope } from '../db/search.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { dayEnd, dayStart } from '../http/time.ts';
import type { ListQuery } from './schema.ts';

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
  | 'title_key';

export interface ListFilter {
  branches: Branch[];
  column: SortColumn;
  order: 'asc' | 'desc';
  albumId: number | undefined;
  /** Folded. */
  tag: string | undefined;
  /** Folded, not empty. */
  keyword: string | undefined;
  /** Seconds: from inclusive, to exclusive. */
  from: number | undefined;
  to: number | undefined;
  isPublic: number | undefined;
}

/** Throws 400, 401 (is_public without a token), 30001 or 30002. */
export async function readFilter(
  deps: Deps,
  viewer: Viewer | undefined,
  query: ListQuery,
): Promise<ListFilter> {
  if (query.is_public !== undefined && !viewer) throw errors.unauthenticated();
  if (query.album_id !== undefined) await checkAlbum(deps, viewer, query.album_id);
  return {
    branches: branchesFor(viewer, ownerOf(viewer, query), query.is_public),
    column: query.sort === 'title' ? 'title_key' : query.sort,
    order: query.order,
    albumId: query.album_id,
    tag: query.tag === undefined ? undefined : fold(query.tag.trim()),
    keyword: query.keyword === undefined ? undefined : fold(query.keyword.trim()) || undefined,
    from: query.date_from === undefined ? undefined : dayStart(query.date_from),
    to: query.date_to === undefined ? undefined : dayEnd(query.date_to),
    isPublic: query.is_public,
  };
}

/** `is_public` is about one's own photos; an admin may ask it of somebody else's. */
function ownerOf(viewer: Viewer | undefined, query: ListQuery): number | undefined {
  return query.is_public === undefined ? query.user_id : (query.user_id ?? viewer!.id);
}

/** Everybody's public photos, and the private ones that this viewer may see. */
export function branchesFor(
  viewer: Viewer | undefined,
  owner: number | undefined,
  isPublic?: number,
): Branch[] {
  const of = owner === undefined ? {} : { userId: owner };
  const open: Branch[] = isPublic === 0 ? [] : [{ visibility: 2, ...of }];
  if (!viewer) return open;
  if (viewer.isAdmin) return [...open, { visibility: 1, ...of }];
  if (owner !== undefined && owner !== viewer.id) return isPublic === undefined ? open : [];
  return [...open, { visibility: 1, userId: viewer.id }];
}

async function checkAlbum({ db }: Deps, viewer: Viewer | undefined, id: number): Promise<void> {
  const album = await db.kysely
    .selectFrom('albums')
    .select(['user_id', 'is_public'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!album) throw errors.albumNotFound();
  const mayRead = album.is_public === 1 || viewer?.isAdmin || viewer?.id === album.user_id;
  if (!mayRead) throw errors.albumForbidden();
}
