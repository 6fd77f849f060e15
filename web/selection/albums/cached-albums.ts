/** Updates cached photos and albums after photos were added to an album or removed from an album. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { AddedPhoto, Album, ContainingAlbum, PagedResponse, Photo } from '../../api/types.ts';
import { patchCachedPhoto, photoQuery } from '../../photos/queries.ts';

export type AlbumName = Pick<Album, 'id' | 'name'>;

export function showPhotosAddedToAlbum(
  client: QueryClient,
  { id: album, name }: AlbumName,
  photos: AddedPhoto[],
  isMove = false,
): void {
  for (const { id, as, visibility, is_public, effective_visibility } of photos) {
    patchCachedPhoto(client, id, (photo) => ({ ...photo, visibility, is_public, effective_visibility }));
    patchAlbums(client, id, (albums) =>
      albums
        .filter((one) => one.id !== album && !(isMove && one.as === 'main'))
        .concat({ id: album, name, as }),
    );
  }
  invalidateAlbums(client);
}

export function showPhotosRemovedFromAlbum(client: QueryClient, album: number, ids: number[]): void {
  for (const id of ids) {
    const main = client.getQueryData(photoQuery(id).queryKey)?.album;
    // A photo that leaves its main album keeps the level that counted there.
    if (main?.id === album) {
      patchCachedPhoto(client, id, (photo) => ({ ...photo, visibility: photo.effective_visibility }));
    }
    patchAlbums(client, id, (albums) => albums.filter((one) => one.id !== album));
  }
  invalidateAlbums(client);
}

/** Changes the number of photos that the open dialog shows for an album. */
export function addToCachedPhotoCount(client: QueryClient, album: number, by: number): void {
  client.setQueriesData<InfiniteData<PagedResponse<Album>>>(
    { queryKey: ['albums', 'choice'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          list: page.list.map((one) =>
            one.id === album && one.photo_count !== null
              ? { ...one, photo_count: one.photo_count + by }
              : one,
          ),
        })),
      },
  );
}

function patchAlbums(
  client: QueryClient,
  id: number,
  change: (albums: ContainingAlbum[]) => ContainingAlbum[],
): void {
  client.setQueryData(photoQuery(id).queryKey, (photo): Photo | undefined => {
    if (!photo) return undefined;
    const albums = change(photo.albums).sort(compareAlbums);
    const main = albums.find(({ as }) => as === 'main');
    return { ...photo, albums, album: main ? { id: main.id, name: main.name } : null };
  });
}

/** Sorts the main album first. */
function compareAlbums(one: ContainingAlbum, other: ContainingAlbum): number {
  return Number(other.as === 'main') - Number(one.as === 'main');
}

/** Marks albums and lists of photos as stale. The open dialog keeps its order of albums. */
function invalidateAlbums(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [noun, kind] }) => noun === 'albums' && kind !== 'choice',
  });
  void client.invalidateQueries({ queryKey: ['photos', 'list'], refetchType: 'none' });
}
