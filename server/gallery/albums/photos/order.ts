/** Changes the manual order of an album's photos. */

import type { Deps } from '../../../deps.ts';
import { invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { setAlbumPhotoPositions } from '../../library/album-photos.ts';
import { lockOrdinaryAlbum } from '../../library/albums.ts';
import { maxPhotosPerStatement } from '../../library/locks.ts';
import { visibilitiesOutsideTrash } from '../../library/visibility-rule.ts';
import { recordAlbumPhotoChange } from '../../photos/albums/add-and-remove.ts';

/**
 * Puts the given photos in the given order at the positions that they have together now. All other photos stay at
 * their positions. A client can therefore reorder one page of a large album. Throws an error on `ids`,
 * albumNotFound, albumForbidden or albumIsSmart.
 */
export async function storePhotoOrder(
  deps: Deps,
  viewer: Viewer,
  albumId: number,
  ids: number[],
): Promise<void> {
  if (new Set(ids).size !== ids.length) throw invalidFieldsError({ ids: ['Must not contain a photo twice'] });
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockOrdinaryAlbum(deps, transaction, viewer, albumId);
    const now = new Map<number, number>();
    for (const some of splitIntoChunks(ids)) {
      const photos = await transaction
        .selectFrom('album_photos')
        .select(['photo_id', 'position'])
        .where('photo_id', 'in', some)
        .where('album_id', '=', albumId)
        .where('visibility', 'in', visibilitiesOutsideTrash)
        .execute();
      for (const { photo_id, position } of photos) now.set(photo_id, position);
    }
    const stranger = ids.find((id) => !now.has(id));
    if (stranger !== undefined) throw invalidFieldsError({ ids: [`Photo ${stranger} is not in this album`] });

    const places = [...now.values()].sort((one, other) => one - other);
    const moved = ids
      .map((id, index) => ({ id, place: places[index]! }))
      .filter(({ id, place }) => now.get(id) !== place);
    for (const some of splitIntoChunks(moved)) {
      await setAlbumPhotoPositions(transaction, albumId, new Map(some.map(({ id, place }) => [id, place])));
    }
    await recordAlbumPhotoChange(deps, transaction, viewer, album, 'order');
  });
}

function splitIntoChunks<Item>(items: Item[]): Item[][] {
  const count = Math.ceil(items.length / maxPhotosPerStatement);
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * maxPhotosPerStatement, (at + 1) * maxPhotosPerStatement),
  );
}
