/** Loads what a focused search box without text offers. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../auth/queries.ts';
import { newestAlbumsQuery, searchFacetsQuery } from './queries.ts';
import { clearRecentSearches, readRecentSearches } from './recent.ts';
import type { SearchStarts } from './starts.ts';

/** Returns the options for a search that already has the filters of `query`. `isShown` is false while nothing is needed. */
export function useSearchStarts(query: string, isShown: boolean): SearchStarts & { clearRecent(): void } {
  const user = useUser()?.id ?? 0;
  const [, setClearedAt] = useState(0);
  const facets = useQuery({ ...searchFacetsQuery(query), enabled: isShown });
  const albums = useQuery({ ...newestAlbumsQuery, enabled: isShown && query === '' });
  return {
    recent: isShown ? readRecentSearches(user) : [],
    facets: facets.data,
    albums: query === '' ? (albums.data?.list ?? []) : [],
    clearRecent: () => {
      clearRecentSearches(user);
      setClearedAt(Date.now());
    },
  };
}
