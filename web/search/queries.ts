/** Queries search suggestions while the user types. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/client.ts';
import type { SearchSuggestions } from '../api/types.ts';

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
