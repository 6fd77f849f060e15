/** API calls for photos in albums: the user's albums, and adding and removing photos. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../api/client.ts';
import type {
  AddedPhotos,
  Album,
  BatchOutcome,
  NewAlbum,
  PagedResponse,
  PhotoItem,
} from '../../api/types.ts';

const pageSize = 100;
/** Maximum number of photo ids in one API call. */
const maxIds = 500;
/** Maximum number of an album's photos that are read. */
const maxMembers = 1000;
/** Maximum number of pages at the end of an album that are read to restore the order. */
const maxOrderPages = 20;

/** The user's albums whose name or description contains the keyword, last changed first. */
export const userAlbumsQuery = (user: number, keyword: string) =>
  infiniteQueryOptions({
    queryKey: ['albums', 'choice', user, keyword],
    queryFn: ({ signal, pageParam }) => {
      const filter = { user_id: user, ...(keyword !== '' && { keyword }) };
      const query = { ...filter, sort: 'update_time', order: 'desc', limit: pageSize, page: pageParam };
      return callApi<PagedResponse<Album>>('GET', '/api/albums', { query, signal });
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    // The next dialog loads the albums in their new order.
    gcTime: 0,
  });

/** The ids of an album's photos, or null if the album has too many. */
export const albumPhotoIdsQuery = (album: number) =>
  queryOptions({
    queryKey: ['albums', 'members', album],
    queryFn: async ({ signal }) => {
      const ids = new Set<number>();
      for (let page = 1; ; page++) {
        const { list, pagination } = await fetchAlbumPage(album, page, signal);
        if (pagination.total > maxMembers) return null;
        for (const { id } of list) ids.add(id);
        if (page >= pagination.pages) return ids;
      }
    },
    staleTime: 0,
  });

function fetchAlbumPage(album: number, page: number, signal?: AbortSignal) {
  const path = `/api/albums/${album}/photos`;
  return callApi<PagedResponse<PhotoItem>>('GET', path, { query: { page, limit: pageSize }, signal });
}

/** Returns the page of an album that contains a photo. Throws ApiError. */
export function fetchAlbumPageAround(album: number, id: number) {
  const query = { around: id, limit: pageSize };
  return callApi<PagedResponse<PhotoItem>>('GET', `/api/albums/${album}/photos`, { query, urgency: 'act' });
}

/** Adds photos to an album; with `isMove`, the album becomes their main album. Throws ApiError. */
export async function addPhotosToAlbum(album: number, ids: number[], isMove = false): Promise<AddedPhotos> {
  const all: AddedPhotos = { success: [], failed: [], photos: [] };
  for (let at = 0; at < ids.length; at += maxIds) {
    const body = { ids: ids.slice(at, at + maxIds), ...(isMove && { move: true }) };
    const found = await callApi<AddedPhotos>('POST', `/api/albums/${album}/photos`, { body });
    all.success.push(...found.success);
    all.failed.push(...found.failed);
    all.photos.push(...found.photos);
  }
  return all;
}

/** Removes photos from this album only. Throws ApiError. */
export async function removePhotosFromAlbum(album: number, ids: number[]): Promise<BatchOutcome> {
  const all: BatchOutcome = { success: [], failed: [] };
  for (let at = 0; at < ids.length; at += maxIds) {
    const body = { ids: ids.slice(at, at + maxIds) };
    const found = await callApi<BatchOutcome>('DELETE', `/api/albums/${album}/photos`, { body });
    all.success.push(...found.success);
    all.failed.push(...found.failed);
  }
  return all;
}

export function createAlbum(album: Pick<NewAlbum, 'name' | 'visibility'>): Promise<Album> {
  return callApi('POST', '/api/albums', { body: album });
}

/** Returns the ids from a page of an album to its end, or undefined if that are too many. */
export async function fetchPhotoIdsToEnd(album: number, first: number): Promise<number[] | undefined> {
  const ids: number[] = [];
  for (let page = first; ; page++) {
    const { list, pagination } = await fetchAlbumPage(album, page);
    if (pagination.pages - first >= maxOrderPages) return undefined;
    ids.push(...list.map(({ id }) => id));
    if (page >= pagination.pages) return ids;
  }
}

/** Sorts photos of an album among the positions that they have. Throws ApiError. */
export async function saveAlbumPhotoOrder(album: number, ids: number[]): Promise<void> {
  await callApi('PUT', `/api/albums/${album}/order`, { body: { ids } });
}
