/** The search page: photos that match a query, as a wall. The URL holds the whole query. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useSearch } from '@tanstack/react-router';
import { SearchX, WandSparkles } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { NewAlbumButton } from '../albums/new-album-button.tsx';
import { ApiError } from '../api/client.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { countPhotosInMonths, createGalleryPhotoList, photoMonthsQuery } from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { WallHead } from '../ui/wall-head.tsx';
import { escapeQueryValue, searchHref } from './address.ts';
import { SearchFieldsHelp } from './fields-page.tsx';
import { describeSearchFilter, FilterChips } from './filters.tsx';
import { formatSearchQuery, parseSearchQuery, type SearchQueryParts } from './parts.ts';

export function SearchPage() {
  const { q = '' } = useSearch({ from: '/search' });
  const query = q.trim();
  useTitle(query === '' ? t('search') : query);
  if (query === '') return <SearchFieldsHelp />;
  // A new query renders a new wall, which starts at its top.
  return <SearchResults key={query} query={query} />;
}

function SearchResults({ query }: { query: string }) {
  const list = useMemo(() => createGalleryPhotoList({ q: query }), [query]);
  const parts = useMemo(() => parseSearchQuery(query), [query]);
  const getHref = useCallback((id: number) => `/search/photos/${id}?q=${escapeQueryValue(query)}`, [query]);
  const user = useUser();
  const months = useQuery(photoMonthsQuery(list));
  const count = months.data && countPhotosInMonths(months.data);
  if (months.error instanceof ApiError && months.error.status === 400) {
    return <SearchFieldsHelp query={query} problem={months.error.fields.q?.[0] ?? months.error.message} />;
  }
  const head = (
    <WallHead title={count === undefined ? t('searching') : t('photosFound', { count })}>
      <FilterChips {...parts} />
      {user && (
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
      href={searchHref(query)}
      empty={<NoResults {...parts} />}
      title={query}
    >
      <Outlet />
    </Wall>
  );
}

/** Shown if a search finds nothing; offers the search without its last condition. */
function NoResults({ filters, words }: SearchQueryParts) {
  const last = filters.at(-1);
  const rest = last ? formatSearchQuery({ filters: filters.slice(0, -1), words }) : '';
  return (
    <Card
      title={t('noPhotosFound')}
      text={t('noPhotosFoundText')}
      icon={<SearchX size={32} strokeWidth={1.5} />}
    >
      {last && rest !== '' && (
        <ButtonLink to="/search" search={{ q: rest }}>
          {t('searchWithout', { name: describeSearchFilter(last) })}
        </ButtonLink>
      )}
      <ButtonLink className="quiet" to="/search" search={{}}>
        {t('searchClear')}
      </ButtonLink>
    </Card>
  );
}
