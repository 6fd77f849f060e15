/** Removes photos from one album. Undo restores their positions in the album and their levels. */
import type { QueryClient } from '@tanstack/react-query';
import type { BatchOutcome, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { getPhotoName } from '../../photos/name.ts';
import { photoQuery } from '../../photos/queries.ts';
import {
  type AlbumName,
  addToCachedPhotoCount,
  showPhotosAddedToAlbum,
  showPhotosRemovedFromAlbum,
} from './cached-albums.ts';
import type { UndoableAlbumChange } from './change.ts';
import { type FormerAlbumOrder, readFormerAlbumOrder, restoreAlbumOrder } from './former-order.ts';
import { restorePhotoLevels } from './levels.ts';
import { addPhotosToAlbum, removePhotosFromAlbum } from './queries.ts';

export function createRemovalFromAlbum(
  client: QueryClient,
  album: AlbumName,
  photos: PhotoItem[],
): UndoableAlbumChange {
  const ids = photos.map(({ id }) => id);
  let former: FormerAlbumOrder;
  let outcome: BatchOutcome;
  return {
    async perform() {
      former = await readFormerAlbumOrder(client, album.id, ids);
      outcome = await removePhotosFromAlbum(album.id, ids);
      showPhotosRemovedFromAlbum(client, album.id, outcome.success);
      addToCachedPhotoCount(client, album.id, -outcome.success.length);
      return outcome;
    },
    canUndo: () => true,
    async undo() {
      const found = await addPhotosToAlbum(album.id, outcome.success);
      // If the order cannot be restored, the photos stay at the end of the album.
      await restoreAlbumOrder(album.id, former, found.success).catch(() => {});
      showPhotosAddedToAlbum(client, album, found.photos);
      addToCachedPhotoCount(client, album.id, found.success.length);
      await restorePhotoLevels(client, photos, found.photos);
      return found;
    },
    describe: () =>
      photos.length === 1
        ? t('photoRemovedFromAlbum', { name: getPhotoName(photos[0]!), album: album.name })
        : t('removedFromAlbum', { count: outcome.success.length, album: album.name }),
    // The cached details have the new level of a photo that left its main album.
    changedPhotos: () =>
      photos.map((photo) => {
        const { visibility } = client.getQueryData(photoQuery(photo.id).queryKey) ?? photo;
        return { ...photo, visibility };
      }),
  };
}
