/** Changes the manual order of an album's photos. */

import type { Deps } from '../../../deps.ts';
import { invalidFields } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { setPositions } from '../../library/album-photos.ts';
import { lockFilledAlbum } from '../../library/albums.ts';
import { chunkSize } from '../../library/locks.ts';
import { listedVisibilities } from '../../library/visibility-rule.ts';
import { recordAlbumChange } from '../../photos/albums/albums.ts';

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
  if (new Set(ids).size !== ids.length) throw invalidFields({ ids: ['Must not contain a photo twice'] });
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockFilledAlbum(deps, transaction, viewer, albumId);
    const now = new Map<number, number>();
    for (const some of splitIntoChunks(ids)) {
      const photos = await transaction
        .selectFrom('album_photos')
        .select(['photo_id', 'position'])
        .where('photo_id', 'in', some)
        .where('album_id', '=', albumId)
        .where('visibility', 'in', listedVisibilities)
        .execute();
      for (const { photo_id, position } of photos) now.set(photo_id, position);
    }
    const stranger = ids.find((id) => !now.has(id));
    if (stranger !== undefined) throw invalidFields({ ids: [`Photo ${stranger} is not in this album`] });

    const places = [...now.values()].sort((one, other) => one - other);
    const moved = ids
      .map((id, index) => ({ id, place: places[index]! }))
      .filter(({ id, place }) => now.get(id) !== place);
    for (const some of splitIntoChunks(moved)) {
      await setPositions(transaction, albumId, new Map(some.map(({ id, place }) => [id, place])));
    }
    await recordAlbumChange(deps, transaction, viewer, album, 'order');
  });
}

function splitIntoChunks<Item>(items: Item[]): Item[][] {
  const count = Math.ceil(items.length / chunkSize);
  return Array.from({ length: count }, (_, at) => items.slice(at * chunkSize, (at + 1) * chunkSize));
}
