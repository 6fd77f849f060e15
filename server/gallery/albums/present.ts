/** Converts album rows to JSON with an explicit list of fields, limited to what the viewer can see. */

import type { Deps } from '../../deps.ts';
import type { VisibilityOutsideTrash } from '../../platform/db/states.ts';
import { timeText } from '../../platform/http/time.ts';
import { createViewerPathSigner, thumbPath } from '../delivery/paths.ts';
import { type AuthorColumns, type AvatarSigner, presentUser } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { type AlbumWithVisibility, isSmartAlbum } from '../library/albums.ts';
import { presentLevel } from '../library/level-fields.ts';
import { canManageItem } from '../library/permissions.ts';
import { findCovers } from './covers.ts';
import { findSmartAlbumFigures } from './figures.ts';
import { countPhotosInAlbums } from './photo-counts.ts';
import type { Album } from './schema.ts';

export type AlbumItemRow = AlbumWithVisibility & AuthorColumns;

/** Returns the albums as JSON in the given order, each with its cover. */
export async function presentAlbums(
  deps: Deps,
  viewer: Viewer | undefined,
  rows: AlbumItemRow[],
): Promise<Album[]> {
  const figures = await findSmartAlbumFigures(deps, viewer, rows);
  const counts = await countPhotosInAlbums(
    deps,
    viewer,
    rows.filter((row) => !isSmartAlbum(row)),
  );
  const covers = await findCovers(deps, viewer, rows, figures);
  const signer = createViewerPathSigner(deps, viewer);
  return rows.map((row) => {
    const cover = covers.get(row.id);
    const count = isSmartAlbum(row) ? (figures.get(row.id)?.count ?? null) : (counts.get(row.id) ?? 0);
    return presentAlbum(viewer, row, { cover: cover ? thumbPath(cover, signer) : '', count, signer });
  });
}

/** Returns an album as JSON. A `count` of null means that the number of photos is unknown. */
export function presentAlbum(
  viewer: Viewer | undefined,
  row: AlbumItemRow,
  { cover, count, signer }: { cover: string; count: number | null; signer: AvatarSigner | undefined },
): Album {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    cover,
    ...presentLevel(row.level, row.visibility_now as VisibilityOutsideTrash),
    parent_id: row.parent_id ?? 0,
    photo_count: count,
    is_smart: isSmartAlbum(row),
    rule: canManageItem(viewer, row) ? row.rule : null,
    user: presentUser({ ...row, id: row.user_id }, signer),
    create_time: timeText(row.create_time),
    update_time: timeText(row.update_time),
  };
}
