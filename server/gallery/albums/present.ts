/** Albums as JSON: explicit lists of fields, with what the viewer may see of them. */

import type { Deps } from '../../deps.ts';
import { timeText } from '../../platform/http/time.ts';
import { type Author, presentUser } from '../accounts/present.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { signerFor, thumbPath } from '../delivery/paths.ts';
import type { FoundAlbum } from '../library/albums.ts';
import { photoCountFor } from '../library/permissions.ts';
import { findCovers } from './covers.ts';
import type { Album } from './schema.ts';

export type AlbumItemRow = FoundAlbum & Author;

/** In the order given, each with its cover. */
export async function presentAlbums(
  deps: Deps,
  viewer: Viewer | undefined,
  rows: AlbumItemRow[],
): Promise<Album[]> {
  const covers = await findCovers(deps, viewer, rows);
  const signer = signerFor(deps, viewer);
  return rows.map((row) => {
    const cover = covers.get(row.id);
    return presentAlbum(viewer, row, cover ? thumbPath(cover, signer) : '');
  });
}

export function presentAlbum(viewer: Viewer | undefined, row: AlbumItemRow, cover: string): Album {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    cover,
    is_public: row.is_public,
    parent_id: row.parent_id ?? 0,
    photo_count: photoCountFor(viewer, row),
    user: presentUser({ ...row, id: row.user_id }),
    create_time: timeText(row.create_time),
    update_time: timeText(row.update_time),
  };
}
