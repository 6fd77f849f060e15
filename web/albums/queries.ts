/** Queries and changes of albums: one album with its parents and sub-albums, or all albums of a person. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError, callApi } from '../api/client.ts';
import type { Album, AlbumDetail, AlbumUpdate, NewAlbum, PagedResponse, PhotoItem } from '../api/types.ts';

const pageSize = 100;

/** The album's data may be embedded in the HTML document (photos/queries.ts). */
export const albumQuery = (id: number) =>
  queryOptions({
    queryKey: ['albums', 'one', id],
    queryFn: ({ signal }) => callApi<AlbumDetail>('GET', `/api/albums/${id}`, { signal }),
  });

/** All albums of a person by name, including sub-albums. */
export const albumsQuery = (user: number) =>
  infiniteQueryOptions({
    queryKey: ['albums', 'of', user],
    queryFn: ({ signal, pageParam }) => {
      const query = { user_id: user, sort: 'name', order: 'asc', limit: pageSize, page: pageParam };
      return callApi<PagedResponse<Album>>('GET', '/api/albums', { query, signal });
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
  });

/** Number of the owner's photos that match a rule now. */
export const ruleCountQuery = (user: number, rule: string) =>
  queryOptions({
    queryKey: ['albums', 'rule', user, rule],
    queryFn: async ({ signal }) => {
      const query = { q: rule, user_id: user, limit: 1 };
      const { pagination } = await callApi<PagedResponse<PhotoItem>>('GET', '/api/photos', { query, signal });
      return pagination.total;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

export function useCreateAlbum() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (album: NewAlbum) => callApi<Album>('POST', '/api/albums', { body: album }),
    onSuccess: () => invalidateAlbums(client),
    onError: (error) => invalidateIfMissing(client, error),
  });
}

export function useUpdateAlbum(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: AlbumUpdate) => callApi<AlbumDetail>('PUT', `/api/albums/${id}`, { body: change }),
    onSuccess: (album, change) => {
      client.setQueryData(albumQuery(id).queryKey, album);
      invalidateAlbums(client, id);
      // The change affects who can see the photos, which photos match the rule, or what photos say of their
      // album.
      if (change.visibility !== undefined || change.parent_id !== undefined || change.rule != null) {
        void client.invalidateQueries({ queryKey: ['photos'] });
      } else if (change.name !== undefined) void client.invalidateQueries({ queryKey: ['photos', 'one'] });
    },
    onError: (error) => invalidateIfMissing(client, error),
  });
}

export function useDeleteAlbum(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi<unknown>('DELETE', `/api/albums/${id}`),
    onSuccess: () => {
      invalidateAlbums(client, id);
      void client.invalidateQueries({ queryKey: ['photos'] });
    },
    onError: (error) => invalidateIfMissing(client, error),
  });
}

/** Marks all cached albums as stale, except the album whose response has just arrived. */
function invalidateAlbums(client: QueryClient, except?: number): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [noun, kind, id] }) =>
      noun === 'albums' && kind !== 'rule' && !(kind === 'one' && id === except),
  });
}

/** Reloads the album if it was deleted elsewhere or belongs to somebody else; the page then says so. */
function invalidateIfMissing(client: QueryClient, error: Error): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) invalidateAlbums(client);
}
