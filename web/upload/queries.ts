/** API calls of an upload beside tus, and the caches that an upload makes stale. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { Album, AlbumDetail, NewAlbum, PagedResponse } from '../api/types.ts';
import { userQuery } from '../auth/queries.ts';

const perCall = 100;
/** Maximum number of calls for a user's albums; with more albums, only the newest are offered. */
const maxCalls = 10;

/** An album of the user that can hold photos. `path` also names its parents. */
export interface FillableAlbum extends Pick<Album, 'id' | 'name' | 'parent_id' | 'effective_visibility'> {
  path: string;
}

/** Loads the user's albums that can hold photos, sorted by path. */
export const fillableAlbumsQuery = (user: number) =>
  queryOptions({
    queryKey: ['albums', 'to-fill', user],
    queryFn: async ({ signal }) => {
      const albums: Album[] = [];
      for (let [page, pages] = [1, 1]; page <= Math.min(pages, maxCalls); page++) {
        const query = { user_id: user, limit: perCall, page };
        const found = await callApi<PagedResponse<Album>>('GET', '/api/albums', { query, signal });
        albums.push(...found.list);
        pages = found.pagination.pages;
      }
      return addPaths(albums.filter(({ is_smart }) => !is_smart));
    },
  });

function addPaths(albums: Album[]): FillableAlbum[] {
  const byId = new Map(albums.map((album) => [album.id, album]));
  const buildPath = ({ name, parent_id }: Album): string => {
    const parent = byId.get(parent_id);
    return parent ? `${buildPath(parent)} / ${name}` : name;
  };
  return albums
    .map((album) => {
      const { id, name, parent_id, effective_visibility } = album;
      return { id, name, parent_id, effective_visibility, path: buildPath(album) };
    })
    .sort((one, other) => one.path.localeCompare(other.path));
}

interface BatchOutcome {
  failed: { id: number }[];
}

/** Returns the API calls that createFolderAlbums needs. */
export function createAlbumCalls(client: QueryClient, user: number) {
  return {
    list: () => client.fetchQuery({ ...fillableAlbumsQuery(user), staleTime: 0 }),
    make: (album: NewAlbum) => callApi<Album>('POST', '/api/albums', { body: album }),
  };
}

/** Returns the id of the page's album if that album can hold the user's photos, or 0. */
export function findPageAlbum(client: QueryClient, user: number, path: string): number {
  const id = Number(/^\/albums\/(\d+)/.exec(path)?.[1] ?? 0);
  const album = client.getQueryData<AlbumDetail>(['albums', 'one', id]);
  return album?.user.id === user && !album.is_smart ? id : 0;
}

/** Maximum number of photo ids in one API call. */
const maxIds = 500;

/** Adds photos without a main album to an album. Throws ApiError. */
export async function addPhotosToAlbum(client: QueryClient, album: number, ids: number[]) {
  const { name } = await client.fetchQuery({
    queryKey: ['albums', 'one', album],
    queryFn: ({ signal }) => callApi<AlbumDetail>('GET', `/api/albums/${album}`, { signal }),
  });
  const left = new Set(ids);
  for (let from = 0; from < ids.length; from += maxIds) {
    const body = { ids: ids.slice(from, from + maxIds) };
    const { failed } = await callApi<BatchOutcome>('POST', `/api/albums/${album}/photos`, { body });
    for (const { id } of failed) left.delete(id);
  }
  void client.invalidateQueries({ queryKey: ['photos', 'list'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
  return { name, filled: [...left] };
}

/** Runs once after an upload: orders the photos like their files, and marks lists as stale. */
export async function finishUploadBatch(client: QueryClient, placed: Map<number, number[]>): Promise<void> {
  for (const [album, ids] of placed) {
    if (ids.length < 2) continue;
    // The call fails if a photo was moved meanwhile; the order then stays as it is.
    await callApi('PUT', `/api/albums/${album}/order`, { body: { ids } }).catch(() => {});
  }
  // The number of photos on profiles, and the used storage.
  void client.invalidateQueries({ queryKey: userQuery.queryKey });
  void client.invalidateQueries({ queryKey: ['photos', 'list'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
  void client.invalidateQueries({ queryKey: ['people'] });
}
