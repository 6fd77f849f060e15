/** Takes away the albums of an account whose photos are all in the trash already. */

import type { Deps } from '../../../deps.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { removeAlbum } from '../../library/album-visibility.ts';
import { findAlbum } from '../../library/albums.ts';
import { chunkSize, lockPhotos } from '../../library/locks.ts';
import { place } from '../../library/place.ts';

const atOnce = 50;

/** Returns how many albums are gone, or were made emptier. */
export async function eraseAlbums({ db }: Deps, userId: number): Promise<number> {
  const albums = await db.kysely
    .selectFrom('albums')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(atOnce)
    .execute();
  for (const { id } of albums) await eraseAlbum({ db }, userId, id);
  return albums.length;
}

/** The photos leave it a chunk at a time; the last chunk's transaction ends the album. */
async function eraseAlbum({ db }: Pick<Deps, 'db'>, userId: number, id: number): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    await db.lockLibrary(transaction, userId);
    const found = await transaction
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', id)
      .limit(chunkSize)
      .execute();
    if (found.length > 0) {
      await place({ db }, transaction, await lockPhotos(transaction, idsOf(found)), undefined);
    }
    if (found.length === chunkSize) return;
    const album = await findAlbum(transaction, id);
    if (album) await removeAlbum({ db }, transaction, album);
  });
}
