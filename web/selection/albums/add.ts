/** Adds photos to an album, by reference if they have another main album. */
import type { QueryClient } from '@tanstack/react-query';
import type { AddedPhotos, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { photoQuery } from '../../photos/queries.ts';
import {
  type AlbumName,
  addToCachedPhotoCount,
  showPhotosAddedToAlbum,
  showPhotosRemovedFromAlbum,
} from './cached-albums.ts';
import type { UndoableAlbumChange } from './change.ts';
import { applyNewLevels, describeNarrowedPhotos, restorePhotoLevels } from './levels.ts';
import { addPhotosToAlbum, albumPhotoIdsQuery, removePhotosFromAlbum } from './queries.ts';

export function createAdditionToAlbum(
  client: QueryClient,
  album: AlbumName,
  photos: PhotoItem[],
): UndoableAlbumChange {
  const ids = photos.map(({ id }) => id);
  /** Photos that the album contained before; null if the album is too large to read. */
  let members: ReadonlySet<number> | null = null;
  let found: AddedPhotos;
  const findAdded = () => found.success.filter((id) => !members?.has(id));
  return {
    async perform() {
      members = await findMembers(client, album.id, ids);
      found = await addPhotosToAlbum(album.id, ids);
      showPhotosAddedToAlbum(client, album, found.photos);
      addToCachedPhotoCount(client, album.id, findAdded().length);
      return found;
    },
    canUndo: () => members !== null && findAdded().length > 0,
    async undo() {
      const outcome = await removePhotosFromAlbum(album.id, findAdded());
      showPhotosRemovedFromAlbum(client, album.id, outcome.success);
      addToCachedPhotoCount(client, album.id, -outcome.success.length);
      await restorePhotoLevels(client, photos, found.photos);
      return outcome;
    },
    describe() {
      const count = findAdded().length;
      const already = found.success.length - count;
      if (count === 0) return t('alreadyInAlbum', { count: already, album: album.name });
      return [
        t('addedToAlbum', { count, album: album.name }),
        already > 0 && t('someAlreadyInAlbum', { count: already }),
        describeNarrowedPhotos(photos, found.photos),
      ]
        .filter(Boolean)
        .join(' ');
    },
    changedPhotos: () => applyNewLevels(photos, found.photos),
  };
}

async function findMembers(
  client: QueryClient,
  album: number,
  ids: number[],
): Promise<ReadonlySet<number> | null> {
  const only = ids.length === 1 ? client.getQueryData(photoQuery(ids[0]!).queryKey) : undefined;
  if (only) return new Set(only.albums.some(({ id }) => id === album) ? ids : []);
  return client.fetchQuery(albumPhotoIdsQuery(album));
}
