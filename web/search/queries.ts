/** Suggestions while one types. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Suggestions } from '../api/types.ts';

export const suggestionsOf = (keyword: string) =>
  queryOptions({
    queryKey: ['suggestions', keyword],
    // Where few calls are left, one searches without.
    queryFn: ({ signal }) =>
      call<Suggestions>('GET', '/api/search/suggest', { query: { keyword }, signal, urgency: 'ahead' }),
    placeholderData: keepPreviousData,
    retry: false,
  });
