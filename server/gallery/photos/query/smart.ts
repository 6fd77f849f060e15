/** Albums in search queries: finds the albums that a query names with `album:`, and parses the rules of smart albums. */
import type { Deps } from '../../../deps.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import type { AlbumRow } from '../../../platform/db/tables.ts';
import { invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { isSmartAlbum } from '../../library/albums.ts';
import { canSee } from '../../library/permissions.ts';
import { albumCurrentVisibilityColumn } from '../../library/visibility-sql.ts';
import { findSearchQueryProblem, parseSearchQuery, type SearchQuery } from './parse.ts';

/** Maximum number of smart albums in a query, because each rule has up to thirty conditions. */
export const maxSmartAlbumsInQuery = 3;

export interface SmartAlbum {
  userId: number;
  /**
   * The parsed rule, or undefined for an unreadable rule, for example from a later version. A smart album without a
   * readable rule finds no photos.
   */
  rule: SearchQuery | undefined;
}

export function toSmartAlbum({ user_id, rule }: Pick<AlbumRow, 'user_id' | 'rule'>): SmartAlbum {
  const isReadable = rule !== null && findSearchQueryProblem(rule) === undefined;
  return { userId: user_id, rule: isReadable ? parseSearchQuery(rule) : undefined };
}

/** Albums that the viewer can see, by id. The value of an ordinary album is `ordinary`. */
export type QueryAlbums = ReadonlyMap<number, SmartAlbum | 'ordinary'>;

/**
 * Returns the albums that a query names and the viewer can see. Other albums find no photos. Throws invalid if the
 * query names too many smart albums.
 */
export async function findQueryAlbums(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  query: SearchQuery,
): Promise<QueryAlbums> {
  const named = collectQueryAlbumIds(query);
  if (named.length === 0) return new Map();
  const albums = await db.kysely
    .selectFrom('albums')
    .select(['id', 'user_id', 'rule'])
    .select(albumCurrentVisibilityColumn())
    .where('id', 'in', [...new Set(named)])
    .execute();
  const visible = albums.filter((album) => canSee(viewer, album));
  const smart = new Set(idsOf(visible.filter(isSmartAlbum)));
  if (named.filter((id) => smart.has(id)).length > maxSmartAlbumsInQuery) {
    throw invalidFieldsError({ q: [`Names more than ${maxSmartAlbumsInQuery} smart albums`] });
  }
  return new Map(visible.map((album) => [album.id, isSmartAlbum(album) ? toSmartAlbum(album) : 'ordinary']));
}

/** Returns the album ids in a query, including repetitions. */
export function collectQueryAlbumIds(query: SearchQuery): number[] {
  switch (query.kind) {
    case 'all':
    case 'any':
      return query.of.flatMap(collectQueryAlbumIds);
    case 'not':
      return collectQueryAlbumIds(query.of);
    default:
      return query.kind === 'album' ? [query.id] : [];
  }
}
