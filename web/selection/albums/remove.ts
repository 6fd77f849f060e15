/** Removes photos from one album. Undo restores their positions in the album and their levels. */
import type { QueryClient } from '@tanstack/react-query';
import type { BatchOutcome, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { getPhotoName } from '../../photos/name.ts';
import { photoQuery } from '../../photos/queries.ts';
import { type AlbumName, addToCount, showAdded, showRemoved } from './cached-albums.ts';
import type { AlbumChange } from './change.ts';
import { type FormerOrder, readFormerOrder, restoreOrder } from './former-order.ts';
import { restoreLevels } from './levels.ts';
import { addPhotos, removePhotos } from './queries.ts';

export function createRemoval(client: QueryClient, album: AlbumName, photos: PhotoItem[]): AlbumChange {
  const ids = photos.map(({ id }) => id);
  let former: FormerOrder;
  let outcome: BatchOutcome;
  return {
    async perform() {
      former = await readFormerOrder(client, album.id, ids);
      outcome = await removePhotos(album.id, ids);
      showRemoved(client, album.id, outcome.success);
      addToCount(client, album.id, -outcome.success.length);
      return outcome;
    },
    canUndo: () => true,
    async undo() {
      const found = await addPhotos(album.id, outcome.success);
      // If the order cannot be restored, the photos stay at the end of the album.
      await restoreOrder(album.id, former, found.success).catch(() => {});
      showAdded(client, album, found.photos);
      addToCount(client, album.id, found.success.length);
      await restoreLevels(client, photos, found.photos);
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
