/** Queries of the search box and of empty search results. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { Album, Facets, PagedResponse, PhotoListPage, SearchSuggestions } from '../api/types.ts';

export const suggestionsQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['suggestions', keyword],
    // Suggestions are not requested while few API calls are left.
    queryFn: ({ signal }) =>
      callApi<SearchSuggestions>('GET', '/api/search/suggest', {
        query: { keyword },
        signal,
        urgency: 'ahead',
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Loads the most frequent years, cameras, people and tags among the photos that a query finds. */
export const searchFacetsQuery = (query: string) =>
  queryOptions({
    queryKey: ['photos', 'facets', query],
    queryFn: ({ signal }) =>
      callApi<Facets>('GET', '/api/facets', {
        query: query === '' ? {} : { q: query },
        signal,
        urgency: 'ahead',
      }),
    retry: false,
  });

export const newestAlbumsQuery = queryOptions({
  queryKey: ['albums', 'newest'],
  queryFn: ({ signal }) =>
    callApi<PagedResponse<Pick<Album, 'id' | 'name'>>>('GET', '/api/albums', {
      query: { limit: 4, sort: 'update_time' },
      signal,
      urgency: 'ahead',
    }),
  retry: false,
});

/** Loads the explanation of a query that finds nothing. */
export const emptySearchQuery = (query: string) =>
  queryOptions({
    queryKey: ['photos', 'empty search', query],
    queryFn: ({ signal }) =>
      callApi<PhotoListPage>('GET', '/api/photos', { query: { q: query, limit: 1 }, signal }),
  });
