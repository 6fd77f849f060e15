/** Reads one album with the albums above it and the albums in it. */

import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { presentLevel } from '../library/level-fields.ts';
import { canSee } from '../library/permissions.ts';
import { findParentAlbums } from '../library/tree.ts';
import { albumCurrentVisibilityColumn } from '../library/visibility-sql.ts';
import { findAlbums } from './list.ts';
import { type AlbumItemRow, presentAlbums } from './present.ts';
import { type Album, type AlbumDetail, maxChildAlbums } from './schema.ts';

/**
 * Returns an album with its parents and children. Throws albumNotFound or albumForbidden. The albums above need no
 * check, because a viewer who sees an album also sees all albums above it.
 */
export async function readAlbum(deps: Deps, viewer: Viewer | undefined, id: number): Promise<AlbumDetail> {
  const row = await getAlbumItem(deps, viewer, id);
  const children = await findAlbums(
    deps,
    viewer,
    { user_id: row.user_id, parent_id: id, sort: 'name', order: 'asc' },
    { limit: maxChildAlbums, offset: 0 },
  );
  const parents = await findParentAlbums(deps.db.kysely, row.parent_id);
  const [album, ...others] = await presentAlbums(deps, viewer, [row, ...children]);
  return {
    ...album!,
    parents: parents.map(({ id, name, level, visibility }) => ({
      id,
      name,
      ...presentLevel(level, visibility),
    })),
    children: others,
  };
}

/** Returns an album in the form that lists use. Throws albumNotFound or albumForbidden. */
export async function readAlbumListItem(deps: Deps, viewer: Viewer, id: number): Promise<Album> {
  const [album] = await presentAlbums(deps, viewer, [await getAlbumItem(deps, viewer, id)]);
  return album!;
}

async function getAlbumItem(deps: Deps, viewer: Viewer | undefined, id: number): Promise<AlbumItemRow> {
  const row = await findAlbumItemRow(deps, id);
  if (!row) throw errors.albumNotFound();
  if (!canSee(viewer, row)) throw errors.albumForbidden();
  return row;
}

/** Returns the row of an album with the columns that decide who sees the album. */
export function findAlbumItemRow({ db }: Deps, id: number): Promise<AlbumItemRow | undefined> {
  return db.kysely
    .selectFrom('albums')
    .innerJoin('users', 'users.id', 'albums.user_id')
    .selectAll('albums')
    .select(albumCurrentVisibilityColumn())
    .select(['users.status as owner_status', 'users.username', 'users.nickname', 'users.avatar'])
    .where('albums.id', '=', id)
    .executeTakeFirst();
}
