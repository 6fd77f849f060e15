/** Albums as the API has them: one with what is around it, and all of a person. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError, call } from '../api/client.ts';
import type { Album, AlbumDetail, AlbumUpdate, NewAlbum, Paged, PhotoItem } from '../api/types.ts';

const pageSize = 100;

/** It may come with the document (photos/queries.ts). */
export const albumOf = (id: number) =>
  queryOptions({
    queryKey: ['albums', 'one', id],
    queryFn: ({ signal }) => call<AlbumDetail>('GET', `/api/albums/${id}`, { signal }),
  });

/** By name, those in others, too. */
export const albumsOf = (user: number) =>
  infiniteQueryOptions({
    queryKey: ['albums', 'of', user],
    queryFn: ({ signal, pageParam }) => {
      const query = { user_id: user, sort: 'name', order: 'asc', limit: pageSize, page: pageParam };
      return call<Paged<Album>>('GET', '/api/albums', { query, signal });
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
  });

/** How many photos of their owner a rule finds now. */
export const ruleCount = (user: number, rule: string) =>
  queryOptions({
    queryKey: ['albums', 'rule', user, rule],
    queryFn: async ({ signal }) => {
      const query = { q: rule, user_id: user, limit: 1 };
      const { pagination } = await call<Paged<PhotoItem>>('GET', '/api/photos', { query, signal });
      return pagination.total;
    },
    placeholderData: keepPreviousData,
    retry: false,
  });

export function useMakeAlbum() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (album: NewAlbum) => call<Album>('POST', '/api/albums', { body: album }),
    onSuccess: () => renewAlbums(client),
    onError: (error) => renewWhereGone(client, error),
  });
}

export function useChangeAlbum(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: AlbumUpdate) => call<AlbumDetail>('PUT', `/api/albums/${id}`, { body: change }),
    onSuccess: (album, change) => {
      client.setQueryData(albumOf(id).queryKey, album);
      renewAlbums(client, id);
      // Who sees its photos, which of them a rule finds, and what they say of their album.
      if (change.is_public !== undefined || change.parent_id !== undefined || change.rule != null) {
        void client.invalidateQueries({ queryKey: ['photos'] });
      } else if (change.name !== undefined) void client.invalidateQueries({ queryKey: ['photos', 'one'] });
    },
    onError: (error) => renewWhereGone(client, error),
  });
}

export function useDeleteAlbum(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call<unknown>('DELETE', `/api/albums/${id}`),
    onSuccess: () => {
      renewAlbums(client, id);
      void client.invalidateQueries({ queryKey: ['photos'] });
    },
    onError: (error) => renewWhereGone(client, error),
  });
}

/** All but the one whose answer is here. */
function renewAlbums(client: QueryClient, except?: number): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [noun, kind, id] }) =>
      noun === 'albums' && kind !== 'rule' && !(kind === 'one' && id === except),
  });
}

/** It was deleted elsewhere, or is no longer one's own: the page then says so. */
function renewWhereGone(client: QueryClient, error: Error): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) renewAlbums(client);
}
