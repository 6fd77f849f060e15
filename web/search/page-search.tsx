/** What a query finds, as a wall. The address holds all of it. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useSearch } from '@tanstack/react-router';
import { SearchX, WandSparkles } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { NewAlbumButton } from '../albums/new-album-button.tsx';
import { ApiError } from '../api/client.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { countOf, listOf, monthsOf } from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { WallHead } from '../ui/wall-head.tsx';
import { readable, searchHref } from './address.ts';
import { FieldsPage } from './fields-page.tsx';
import { Filters, nameOf } from './filters.tsx';
import { type Parts, partsOf, queryOf } from './parts.ts';

export function SearchPage() {
  const { q = '' } = useSearch({ from: '/search' });
  const query = q.trim();
  useTitle(query === '' ? t('search') : query);
  if (query === '') return <FieldsPage />;
  // Another query is another wall: it begins at its top.
  return <Results key={query} query={query} />;
}

function Results({ query }: { query: string }) {
  const list = useMemo(() => listOf({ q: query }), [query]);
  const parts = useMemo(() => partsOf(query), [query]);
  const hrefOf = useCallback((id: number) => `/search/photos/${id}?q=${readable(query)}`, [query]);
  const user = useUser();
  const months = useQuery(monthsOf(list));
  const count = months.data && countOf(months.data);
  if (months.error instanceof ApiError && months.error.status === 400) {
    return <FieldsPage query={query} problem={months.error.fields.q?.[0] ?? months.error.message} />;
  }
  const head = (
    <WallHead title={count === undefined ? t('searching') : t('photosFound', { count })}>
      <Filters {...parts} />
      {user && (
        <NewAlbumButton user={user.id} rule={query} className="button quiet">
          <WandSparkles size={18} aria-hidden="true" />
          {t('saveAsAlbum')}
        </NewAlbumButton>
      )}
    </WallHead>
  );
  return (
    <Wall {...{ list, head, hrefOf }} href={searchHref(query)} empty={<Nothing {...parts} />} title={query}>
      <Outlet />
    </Wall>
  );
}

/** Offers to look without what was asked for last. */
function Nothing({ filters, words }: Parts) {
  const last = filters.at(-1);
  const rest = last ? queryOf({ filters: filters.slice(0, -1), words }) : '';
  return (
    <Card
      title={t('nothingFound')}
      text={t('nothingFoundText')}
      icon={<SearchX size={32} strokeWidth={1.5} />}
    >
      {last && rest !== '' && (
        <ButtonLink to="/search" search={{ q: rest }}>
          {t('searchWithout', { name: nameOf(last) })}
        </ButtonLink>
      )}
      <ButtonLink className="quiet" to="/search" search={{}}>
        {t('searchAnew')}
      </ButtonLink>
    </Card>
  );
}
