/** Adds photos to an album, by reference if they have another main album. */
import type { QueryClient } from '@tanstack/react-query';
import type { AddedPhotos, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { photoQuery } from '../../photos/queries.ts';
import { type AlbumName, addToCount, showAdded, showRemoved } from './cached-albums.ts';
import type { AlbumChange } from './change.ts';
import { describeNarrowed, mergeLevels, restoreLevels } from './levels.ts';
import { addPhotos, memberIdsQuery, removePhotos } from './queries.ts';

export function createAddition(client: QueryClient, album: AlbumName, photos: PhotoItem[]): AlbumChange {
  const ids = photos.map(({ id }) => id);
  /** Photos that the album contained before; null if the album is too large to read. */
  let members: ReadonlySet<number> | null = null;
  let found: AddedPhotos;
  const findAdded = () => found.success.filter((id) => !members?.has(id));
  return {
    async perform() {
      members = await findMembers(client, album.id, ids);
      found = await addPhotos(album.id, ids);
      showAdded(client, album, found.photos);
      addToCount(client, album.id, findAdded().length);
      return found;
    },
    canUndo: () => members !== null && findAdded().length > 0,
    async undo() {
      const outcome = await removePhotos(album.id, findAdded());
      showRemoved(client, album.id, outcome.success);
      addToCount(client, album.id, -outcome.success.length);
      await restoreLevels(client, photos, found.photos);
      return outcome;
    },
    describe() {
      const count = findAdded().length;
      const already = found.success.length - count;
      if (count === 0) return t('alreadyInAlbum', { count: already, album: album.name });
      return [
        t('addedToAlbum', { count, album: album.name }),
        already > 0 && t('someAlreadyInAlbum', { count: already }),
        describeNarrowed(photos, found.photos),
      ]
        .filter(Boolean)
        .join(' ');
    },
    changedPhotos: () => mergeLevels(photos, found.photos),
  };
}

async function findMembers(
  client: QueryClient,
  album: number,
  ids: number[],
): Promise<ReadonlySet<number> | null> {
  const only = ids.length === 1 ? client.getQueryData(photoQuery(ids[0]!).queryKey) : undefined;
  if (only) return new Set(only.albums.some(({ id }) => id === album) ? ids : []);
  return client.fetchQuery(memberIdsQuery(album));
}
