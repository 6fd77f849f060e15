/** Albums as the API has them: one with what is around it, and all of a person. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Album, AlbumDetail, Paged } from '../api/types.ts';

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
