/** API calls of an import, beside the uploads themselves. */
import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { Album, NewAlbum, PagedResponse } from '../api/types.ts';

/** A file that the user already has. */
export interface KnownFile {
  sha256: string;
  photo_id: number | null;
  trashed_id: number | null;
  has_sidecar: boolean;
}

export type ImportCalls = ReturnType<typeof createImportCalls>;

const albumsPerCall = 100;
/** Maximum number of photo ids in one call. */
const maxIds = 500;

export function createImportCalls(client: QueryClient, user: number) {
  return {
    async findKnown(sha256: string[]): Promise<KnownFile[]> {
      return (await callApi<{ list: KnownFile[] }>('POST', '/api/photos/known', { body: { sha256 } })).list;
    },
    /** Returns the user's albums directly in an album; 0 is the top. */
    async listAlbums(parent: number): Promise<Album[]> {
      const albums: Album[] = [];
      for (let [page, pages] = [1, 1]; page <= pages; page++) {
        const query = { user_id: user, parent_id: parent, limit: albumsPerCall, page };
        const found = await callApi<PagedResponse<Album>>('GET', '/api/albums', { query });
        for (const album of found.list) if (!album.is_smart) albums.push(album);
        pages = found.pagination.pages;
      }
      return albums;
    },
    createAlbum: (album: NewAlbum) => callApi<Album>('POST', '/api/albums', { body: album }),
    /** Adds photos in the given order. The album becomes the main album of photos without one. */
    async addToAlbum(album: number, ids: number[]): Promise<void> {
      for (let from = 0; from < ids.length; from += maxIds) {
        const body = { ids: ids.slice(from, from + maxIds) };
        await callApi('POST', `/api/albums/${album}/photos`, { body });
      }
    },
    async orderAlbum(album: number, ids: number[]): Promise<void> {
      await callApi('PUT', `/api/albums/${album}/order`, { body: { ids } });
    },
    /** Gives a photo that is here already what its sidecars say. */
    complete: (id: number, sidecar: Record<string, string>) =>
      callApi('PUT', `/api/photos/${id}/sidecar`, { body: sidecar }),
    setFavorite: (id: number) => callApi('POST', `/api/photos/${id}/favorite`, { body: { favorited: true } }),
    trash: (id: number) => callApi('DELETE', `/api/photos/${id}`),
    /** Marks the lists of photos, albums and people as stale. */
    finish(): void {
      void client.invalidateQueries({ queryKey: ['photos', 'list'] });
      void client.invalidateQueries({ queryKey: ['albums'] });
      void client.invalidateQueries({ queryKey: ['people'] });
    },
  };
}
