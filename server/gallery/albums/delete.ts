/** Deleting an album: its photos stay and leave it, the albums in it move up. */
import type { Transaction } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { AlbumRow, Tables } from '../../platform/db/tables.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { lockAlbum } from '../library/albums.ts';
import { flowVisibility } from '../library/flow.ts';
import { showPhotos } from '../library/show.ts';
import { auditIfOthers } from '../moderation/audit.ts';

/** So that no statement takes longer than one may. */
const photosAtOnce = 20_000;

/** Throws 30001 or 30002. Links to it end with it. */
export async function deleteAlbum(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockAlbum(deps, transaction, viewer, id);
    await emptyAlbum(deps, transaction, album);
    const inner = await transaction
      .updateTable('albums')
      .set({ parent_id: album.parent_id })
      .where('parent_id', '=', id)
      .returning('id')
      .execute();
    await transaction.deleteFrom('albums').where('id', '=', id).execute();
    for (const child of inner) {
      await flowVisibility(deps, transaction, { id: child.id, parent_id: album.parent_id });
    }
    await auditIfOthers(deps, transaction, viewer, album, {
      action: 'album.delete',
      target: { type: 'album', id, name: album.name },
    });
  });
}

/** Its photos, those in the trash too, are in no album from now on; a private album no longer hides the public ones. */
async function emptyAlbum(deps: Deps, transaction: Transaction<Tables>, album: AlbumRow): Promise<void> {
  if (album.visibility !== 2) await showPhotos(deps, transaction, album, 2);
  await clearCoversAbove(transaction, album);
  for (;;) {
    const photos = transaction
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', album.id)
      .orderBy('id')
      .limit(photosAtOnce)
      .modifyEnd(deps.db.rowLock);
    const { numUpdatedRows } = await transaction
      .updateTable('photos')
      .set({ album_id: null, album_position: 0 })
      .where('id', 'in', photos)
      .executeTakeFirst();
    if (Number(numUpdatedRows) < photosAtOnce) return;
  }
}

/** A photo of this album may stand on the cover of one above. */
async function clearCoversAbove(transaction: Transaction<Tables>, { id, user_id }: AlbumRow): Promise<void> {
  await transaction
    .updateTable('albums')
    .set({ cover_id: null })
    .where('user_id', '=', user_id)
    .where('cover_id', 'in', (query) => query.selectFrom('photos').select('id').where('album_id', '=', id))
    .execute();
}
