/**
 * Finds the albums inside a shared album. A link shows an inner album if its visibility is that of the shared album, so
 * an album that its owner made narrower stays hidden.
 */
import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { findAlbumItemRow } from '../albums/detail.ts';
import type { AlbumItemRow } from '../albums/present.ts';
import { findParentAlbums } from '../library/tree.ts';
import { albumCurrentVisibilityColumn } from '../library/visibility-sql.ts';
import type { AlbumShareLink } from './open.ts';

/** Maximum number of inner albums that a link shows in one album. */
export const maxSharedChildAlbums = 500;

export interface OpenedAlbum extends AlbumShareLink {
  /** The album that the link shares. `album` is this album or an album inside it. */
  root: AlbumItemRow;
  /** Albums from the shared one down to the parent of `album`. */
  parents: { id: number; name: string }[];
}

/** Returns an album inside the shared album, or the shared album itself without an id. Throws shareNotFound. */
export async function openAlbum(deps: Deps, link: AlbumShareLink, id?: number): Promise<OpenedAlbum> {
  const { share, album: root } = link;
  if (id === undefined || id === root.id) return { share, root, album: root, parents: [] };
  const album = await findAlbumItemRow(deps, id);
  if (!album || album.user_id !== root.user_id) throw errors.shareNotFound();
  const above = await findParentAlbums(deps.db.kysely, album.parent_id);
  const parents = above.slice(above.findIndex((one) => one.id === root.id));
  const isInside = parents[0]?.id === root.id;
  if (!isInside || [...parents, album].some(({ visibility }) => visibility !== root.visibility))
    throw errors.shareNotFound();
  return { share, root, album, parents: parents.map(({ id, name }) => ({ id, name })) };
}

/** Returns the albums directly in an opened album by name. */
export function findChildAlbums({ db }: Deps, { root, album }: OpenedAlbum): Promise<AlbumItemRow[]> {
  return db.kysely
    .selectFrom('albums')
    .innerJoin('users', 'users.id', 'albums.user_id')
    .selectAll('albums')
    .select(albumCurrentVisibilityColumn())
    .select(['users.status as owner_status', 'users.username', 'users.nickname', 'users.avatar'])
    .where('albums.parent_id', '=', album.id)
    .where('albums.user_id', '=', root.user_id)
    .where('albums.visibility', '=', root.visibility)
    .orderBy('albums.name_key')
    .orderBy('albums.id')
    .limit(maxSharedChildAlbums)
    .execute();
}
