/** Deleting an album: its photos stay and leave it, the albums in it move up. */
import type { Viewer } from '../auth/viewer.ts';
import type { Deps } from '../deps.ts';
import { flowVisibility } from './flow.ts';
import { chunkSize, lockPhotos, placePhotos } from './place.ts';
import { lockAlbum } from './store.ts';

/** Throws 30001 or 30002. Links to it end with it. */
export async function deleteAlbum(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockAlbum(deps, transaction, viewer, id);
    const photos = await transaction
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', id)
      .orderBy('id')
      .execute();
    for (let at = 0; at < photos.length; at += chunkSize) {
      const ids = photos.slice(at, at + chunkSize).map((photo) => photo.id);
      await placePhotos(transaction, await lockPhotos(deps, transaction, ids), undefined);
    }
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
  });
}
