/** The search page: photos that match a query, as a wall. The URL holds the whole query. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useSearch } from '@tanstack/react-router';
import { WandSparkles } from 'lucide-react';
import { useCallback, useEffect, useMemo } from 'react';
import { NewAlbumButton } from '../albums/new-album-button.tsx';
import { ApiError } from '../api/client.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import {
  countPhotosInMonths,
  createGalleryPhotoList,
  type PhotoList,
  photoMonthsQuery,
} from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { useTitle } from '../ui/page.tsx';
import { WallHead } from '../ui/wall-head.tsx';
import { formatSearchParameters, type SearchSort, searchHref } from './address.ts';
import { SearchFieldsHelp } from './fields-page.tsx';
import { FilterChips } from './filters.tsx';
import { NoResults } from './no-results.tsx';
import { parseSearchQuery } from './parts.ts';
import { addRecentSearch } from './recent.ts';
import { SortField } from './sort-field.tsx';

export function SearchPage() {
  const { q = '', sort } = useSearch({ from: '/search' });
  const query = q.trim();
  useTitle(query === '' ? t('search') : query);
  if (query === '') return <SearchFieldsHelp />;
  // A new query renders a new wall, which starts at its top.
  return <SearchResults key={`${sort} ${query}`} query={query} sort={sort} />;
}

/** Returns the list of the photos that the query finds. Titles are sorted from A to Z, other orders begin with the largest. */
function createSearchPhotoList(query: string, sort: SearchSort | undefined): PhotoList {
  if (sort === undefined) return createGalleryPhotoList({ q: query });
  return { path: '/api/photos', query: { q: query, sort, order: sort === 'title' ? 'asc' : 'desc' } };
}

interface Props {
  query: string;
  sort: SearchSort | undefined;
}

function SearchResults({ query, sort }: Props) {
  const list = useMemo(() => createSearchPhotoList(query, sort), [query, sort]);
  const parts = useMemo(() => parseSearchQuery(query), [query]);
  const getHref = useCallback(
    (id: number) => `/search/photos/${id}${formatSearchParameters(query, sort)}`,
    [query, sort],
  );
  const user = useUser();
  const userId = user?.id ?? 0;
  const months = useQuery(photoMonthsQuery(createGalleryPhotoList({ q: query })));
  const count = months.data && countPhotosInMonths(months.data);
  const hasPhotos = count !== undefined && count > 0;
  useEffect(() => {
    if (hasPhotos) addRecentSearch(userId, query);
  }, [hasPhotos, userId, query]);
  if (months.error instanceof ApiError && months.error.status === 400) {
    return <SearchFieldsHelp query={query} problem={months.error.fields.q?.[0] ?? months.error.message} />;
  }
  const head = (
    <WallHead
      title={
        count === undefined ? t('searching') : hasPhotos ? t('photosFound', { count }) : t('noPhotosFound')
      }
    >
      <FilterChips {...parts} />
      {hasPhotos && <SortField sort={sort} />}
      {user && count !== 0 && (
        <NewAlbumButton user={user.id} rule={query} className="button quiet">
          <WandSparkles size={18} aria-hidden="true" />
          {t('saveAsAlbum')}
        </NewAlbumButton>
      )}
    </WallHead>
  );
  return (
    <Wall
      {...{ list, head, getHref }}
      href={searchHref(query, sort)}
      empty={<NoResults query={query} />}
      title={query}
    >
      <Outlet />
    </Wall>
  );
}
