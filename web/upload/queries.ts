/** What an upload asks of the API beside tus, and what it makes old. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { Album, AlbumDetail, NewAlbum, PagedResponse } from '../api/types.ts';

const perCall = 100;
/** So many calls are worth it: who has more albums finds the newest. */
const maxCalls = 10;

/** One's own albums that a photo can be put into, with the names of those that they are in. */
export interface FillableAlbum extends Pick<Album, 'id' | 'name' | 'parent_id'> {
  path: string;
}

/** By their paths. */
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
    .map((album) => ({ id: album.id, name: album.name, parent_id: album.parent_id, path: buildPath(album) }))
    .sort((one, other) => one.path.localeCompare(other.path));
}

interface BatchOutcome {
  failed: { id: number }[];
}

/** What folders become albums in. */
export function createAlbumLibrary(client: QueryClient, user: number) {
  return {
    list: () => client.fetchQuery({ ...fillableAlbumsQuery(user), staleTime: 0 }),
    make: (album: NewAlbum) => callApi<Album>('POST', '/api/albums', { body: album }),
  };
}

/** The album of a page, if photos can be put into it; else 0. */
export function findPageAlbum(client: QueryClient, user: number, path: string): number {
  const id = Number(/^\/albums\/(\d+)/.exec(path)?.[1] ?? 0);
  const album = client.getQueryData<AlbumDetail>(['albums', 'one', id]);
  return album?.user.id === user && !album.is_smart ? id : 0;
}

/** As many as one call takes. */
const maxIds = 500;

/** Photos that are in no album are put into this one. Throws ApiError. */
export async function fillAlbum(client: QueryClient, album: number, ids: number[]) {
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

/** Once for a whole upload: photos that arrived three at a time stand as their files did, and lists have them. */
export async function finishUpload(client: QueryClient, placed: Map<number, number[]>): Promise<void> {
  for (const [album, ids] of placed) {
    if (ids.length < 2) continue;
    // A photo that was moved meanwhile has its place elsewhere: then all stay where they are.
    await callApi('PUT', `/api/albums/${album}/order`, { body: { ids } }).catch(() => {});
  }
  void client.invalidateQueries({ queryKey: ['photos', 'list'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
}
