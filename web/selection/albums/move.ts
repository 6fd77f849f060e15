/** Makes an album the main album of photos. They leave their former main album. */
import type { QueryClient } from '@tanstack/react-query';
import type { AddedPhotos, BatchOutcome, ContainingAlbum, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { photoQuery } from '../../photos/queries.ts';
import { type AlbumName, showPhotosAddedToAlbum, showPhotosRemovedFromAlbum } from './cached-albums.ts';
import type { UndoableAlbumChange } from './change.ts';
import { type FormerAlbumOrder, readFormerAlbumOrder, restoreAlbumOrder } from './former-order.ts';
import { applyNewLevels, describeNarrowedPhotos, restorePhotoLevels } from './levels.ts';
import { addPhotosToAlbum, removePhotosFromAlbum } from './queries.ts';

/** Maximum number of photos whose albums are read before a move; a move of more photos cannot be undone. */
export const maxUndoableMove = 20;

export function createMoveToAlbum(
  client: QueryClient,
  album: AlbumName,
  photos: PhotoItem[],
): UndoableAlbumChange {
  const ids = photos.map(({ id }) => id);
  let former: FormerAlbums[] | undefined;
  let found: AddedPhotos;
  return {
    async perform() {
      former = ids.length <= maxUndoableMove ? await readFormerAlbums(client, album.id, ids) : undefined;
      found = await addPhotosToAlbum(album.id, ids, true);
      showPhotosAddedToAlbum(client, album, found.photos, true);
      return found;
    },
    canUndo: () => former !== undefined,
    async undo() {
      const all: BatchOutcome = { success: [], failed: [] };
      for (const one of former!) {
        const { success, failed } = await moveBack(client, album, one);
        all.success.push(...success);
        all.failed.push(...failed);
      }
      await restorePhotoLevels(client, photos, found.photos);
      return all;
    },
    describe: () =>
      [
        t('movedToAlbum', { count: found.success.length, album: album.name }),
        describeNarrowedPhotos(photos, found.photos),
      ]
        .filter(Boolean)
        .join(' '),
    changedPhotos: () => applyNewLevels(photos, found.photos),
  };
}

/** Photos with the same main album before a move. */
interface FormerAlbums {
  main: ContainingAlbum | undefined;
  ids: number[];
  /** Photos that the destination contained already. */
  references: number[];
  order: FormerAlbumOrder;
}

async function readFormerAlbums(client: QueryClient, album: number, ids: number[]): Promise<FormerAlbums[]> {
  const photos = await Promise.all(ids.map((id) => client.fetchQuery(photoQuery(id))));
  const groups = Map.groupBy(photos, (photo) => photo.album?.id);
  const read = [...groups.values()].map(async (some): Promise<FormerAlbums> => {
    const main = some[0]!.albums.find(({ as }) => as === 'main');
    const own = some.map(({ id }) => id);
    return {
      ...{ main, ids: own },
      references: some.filter((photo) => photo.albums.some(({ id }) => id === album)).map(({ id }) => id),
      order: main ? await readFormerAlbumOrder(client, main.id, own) : new Map(),
    };
  });
  return Promise.all(read);
}

/** Moves photos back to their former main album, and restores their references to the destination. */
async function moveBack(
  client: QueryClient,
  album: AlbumName,
  { main, ids, references, order }: FormerAlbums,
): Promise<BatchOutcome> {
  if (main?.id === album.id) return { success: ids, failed: [] };
  if (!main) {
    const outcome = await removePhotosFromAlbum(album.id, ids);
    showPhotosRemovedFromAlbum(client, album.id, outcome.success);
    return outcome;
  }
  const found = await addPhotosToAlbum(main.id, ids, true);
  // If the order cannot be restored, the photos stay at the end of the album.
  await restoreAlbumOrder(main.id, order, found.success).catch(() => {});
  showPhotosAddedToAlbum(client, main, found.photos, true);
  if (references.length > 0)
    showPhotosAddedToAlbum(client, album, (await addPhotosToAlbum(album.id, references)).photos);
  return found;
}
