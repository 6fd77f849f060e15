/** What an upload asks of the API beside tus, and what it makes old. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Album, Paged } from '../api/types.ts';

const maxAlbums = 100;

/** The albums that a photo can be put into, the newest first. */
export const albumsToFill = (user: number) =>
  queryOptions({
    queryKey: ['albums', 'to-fill', user],
    queryFn: async ({ signal }) => {
      const query = { user_id: user, limit: maxAlbums };
      const { list } = await call<Paged<Album>>('GET', '/api/albums', { query, signal });
      return list.filter(({ is_smart }) => !is_smart);
    },
  });

/** Once for a whole upload. */
export function refreshLists(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['photos', 'list'] });
  void client.invalidateQueries({ queryKey: ['albums'] });
}
