/** Deleting an album: its photos stay and leave it, the albums in it move up. */

import type { Deps } from '../../deps.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { removeAlbum } from '../library/album-visibility.ts';
import { lockAlbum } from '../library/albums.ts';
import { auditIfOthers } from '../moderation/audit.ts';

/** Throws albumNotFound or albumForbidden. Links to it end with it. */
export async function deleteAlbum(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockAlbum(deps, transaction, viewer, id);
    await removeAlbum(deps, transaction, album);
    await auditIfOthers(deps, transaction, viewer, album, {
      action: 'album.delete',
      target: { type: 'album', id, name: album.name },
    });
  });
}
