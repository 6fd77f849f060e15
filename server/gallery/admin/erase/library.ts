/**
 * Hides an account's photos in large batches before their slower permanent deletion, and deletes the account's
 * albums.
 */

import type { Deps } from '../../../deps.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { Visibility } from '../../../platform/db/states.ts';
import { removeAlbum } from '../../library/album-visibility.ts';
import { findAlbum } from '../../library/albums.ts';
import { lockPhotos, maxPhotosPerStatement } from '../../library/locks.ts';
import { moveToAlbum } from '../../library/move-to-album.ts';
import { setPhotoVisibility } from '../../library/set-visibility.ts';
import { visibilitiesOutsideTrash } from '../../library/visibility-rule.ts';
import { closeReports } from '../../moderation/reports.ts';

/** Moves a chunk of photos to the trash, from where they are purged. Returns the number of photos. */
export async function trashAccountPhotos(deps: Deps, userId: number): Promise<number> {
  const { db } = deps;
  return db.kysely.transaction().execute(async (transaction) => {
    await db.lock(transaction, { library: userId });
    const found = await transaction
      .selectFrom('photos')
      .select('id')
      .where('user_id', '=', userId)
      .where('visibility', 'in', visibilitiesOutsideTrash)
      .limit(maxPhotosPerStatement)
      .execute();
    if (found.length === 0) return 0;
    const photos = await lockPhotos(transaction, idsOf(found));
    const ids = idsOf(photos);
    await setPhotoVisibility(deps, transaction, photos, Visibility.trash);
    const outcome = { action: 'delete', note: '', handler: '' } as const;
    await closeReports(deps, transaction, { type: 'photo', ids }, outcome);
    return photos.length;
  });
}

const batchSize = 50;

/** Deletes or shrinks a batch of albums. Returns the number of albums in the batch. */
export async function eraseAlbums(deps: Deps, userId: number): Promise<number> {
  const albums = await deps.db.kysely
    .selectFrom('albums')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(batchSize)
    .execute();
  for (const { id } of albums) await eraseAlbum(deps, userId, id);
  return albums.length;
}

/**
 * Removes one chunk of photos from an album of an account in deletion. The transaction of the last chunk deletes
 * the album.
 */
async function eraseAlbum(deps: Deps, userId: number, id: number): Promise<void> {
  const { db } = deps;
  await db.kysely.transaction().execute(async (transaction) => {
    await db.lock(transaction, { library: userId });
    const found = await transaction
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', id)
      .limit(maxPhotosPerStatement)
      .execute();
    if (found.length > 0) {
      await moveToAlbum(deps, transaction, await lockPhotos(transaction, idsOf(found)), {
        album: undefined,
        addedBy: userId,
      });
    }
    if (found.length === maxPhotosPerStatement) return;
    const album = await findAlbum(transaction, id);
    if (album) await removeAlbum(deps, transaction, album);
  });
}
