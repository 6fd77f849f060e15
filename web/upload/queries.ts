/** What an upload asks of the API beside tus, and what it makes old. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Album, AlbumDetail, NewAlbum, Paged } from '../api/types.ts';

const perCall = 100;
/** So many calls are worth it: who has more albums finds the newest. */
const mostCalls = 10;

/** One's own albums that a photo can be put into, with the names of those that they are in. */
export interface FillableAlbum extends Pick<Album, 'id' | 'name' | 'parent_id'> {
  path: string;
}

/** By their paths. */
export const albumsToFill = (user: number) =>
  queryOptions({
    queryKey: ['albums', 'to-fill', user],
    queryFn: async ({ signal }) => {
      const albums: Album[] = [];
      for (let [page, pages] = [1, 1]; page <= Math.min(pages, mostCalls); page++) {
        const query = { user_id: user, limit: perCall, page };
        const found = await call<Paged<Album>>('GET', '/api/albums', { query, signal });
        albums.push(...found.list);
        pages = found.pagination.pages;
      }
      return withPaths(albums.filter(({ is_smart }) => !is_smart));
    },
  });

function withPaths(albums: Album[]): FillableAlbum[] {
  const byId = new Map(albums.map((album) => [album.id, album]));
  const pathOf = ({ name, parent_id }: Album): string => {
    const parent = byId.get(parent_id);
    return parent ? `${pathOf(parent)} / ${name}` : name;
  };
  return albums
    .map((album) => ({ id: album.id, name: album.name, parent_id: album.parent_id, path: pathOf(album) }))
    .sort((one, other) => one.path.localeCompare(other.path));
}

interface Outcome {
  failed: { id: number }[];
}

/** What folders become albums in. */
export function libraryOf(client: QueryClient, user: number) {
  return {
    list: () => client.fetchQuery({ ...albumsToFill(user), staleTime: 0 }),
    make: (album: NewAlbum) => call<Album>('POST', '/api/albums', { body: album }),
  };
}

/** The album of a page, if photos can be put into it; else 0. */
export function albumAt(client: QueryClient, user: number, path: string): number {
  const id = Number(/^\/albums\/(\d+)/.exec(path)?.[1] ?? 0);
  const album = client.getQueryData<AlbumDetail>(['albums', 'one', id]);
  return album?.user.id === user && !album.is_smart ? id : 0;
}

/** As many as one call takes. */
const mostIds = 500;

/** Photos that are in no album are put into this one. Throws ApiError. */
export async function fillAlbum(client: QueryClient, album: number, ids: number[]) {
  const { name } = await client.fetchQuery({
    queryKey: ['albums', 'one', album],
    queryFn: ({ signal }) => call<AlbumDetail>('GET', `/api/albums/${album}`, { signal }),
  });
  const left = new Set(ids);
  for (let from = 0; from < ids.length; from += mostIds) {
    const body = { ids: ids.slice(from, from + mostIds) };
    const { failed } = await call<Outcome>('POST', `/api/albums/${album}/photos`, { body });
    for (const { id } of failed) left.delete(id);
  }
  void client.invalidateQueries({ queryKey: ['photos', 'list'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
  return { name, filled: [...left] };
}

/** Once for a whole upload: photos that arrived three at a time stand as their files did, and lists have them. */
export async function endUpload(client: QueryClient, placed: Map<number, number[]>): Promise<void> {
  for (const [album, ids] of placed) {
    if (ids.length < 2) continue;
    // A photo that was moved meanwhile has its place elsewhere: then all stay where they are.
    await call('PUT', `/api/albums/${album}/order`, { body: { ids } }).catch(() => {});
  }
  void client.invalidateQueries({ queryKey: ['photos', 'list'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
}
