/** Visibility flows down: from an album to the albums in it, and to the photos of all of them. */
import type { Transaction } from 'kysely';
import type { AlbumRow, Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { chunkSize, lockPhotos, placePhotos } from './place.ts';
import { findBranch } from './tree.ts';

/** Makes the kept visibility of the album and all below it true again. The owner's library is locked. */
export async function flowVisibility(
  deps: Deps,
  transaction: Transaction<Tables>,
  album: Pick<AlbumRow, 'id' | 'parent_id'>,
): Promise<void> {
  const now = new Map<number, number>();
  if (album.parent_id !== null) {
    const parent = await transaction
      .selectFrom('albums')
      .select('visibility')
      .where('id', '=', album.parent_id)
      .executeTakeFirstOrThrow();
    now.set(album.parent_id, parent.visibility);
  }
  for (const { id, parent_id, is_public, visibility } of await findBranch(transaction, album.id)) {
    const above = parent_id === null ? 2 : now.get(parent_id)!;
    const visible = is_public === 1 && above === 2 ? 2 : 1;
    now.set(id, visible);
    if (visible === visibility) continue;
    await transaction.updateTable('albums').set({ visibility: visible }).where('id', '=', id).execute();
    await replacePhotos(deps, transaction, { id, visibility: visible });
  }
}

/** Only public photos follow their album: the others are private whatever it is. */
async function replacePhotos(
  deps: Deps,
  transaction: Transaction<Tables>,
  album: { id: number; visibility: number },
): Promise<void> {
  const following = await transaction
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', album.id)
    .where('visibility', '=', album.visibility === 2 ? 1 : 2)
    .where('is_public', '=', 1)
    .orderBy('id')
    .execute();
  const ids = following.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += chunkSize) {
    const photos = await lockPhotos(deps, transaction, ids.slice(at, at + chunkSize));
    await placePhotos(transaction, photos, album);
  }
}
