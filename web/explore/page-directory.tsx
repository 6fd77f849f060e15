/** The pages with all albums and all people of the gallery. */
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Album as AlbumIcon, Users } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { PagedResponse, User } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { type MessageKey, t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { AllAlbumCards } from './album-cards.tsx';
import styles from './explore.module.css';
import { allAlbumsQuery, peopleQuery } from './queries.ts';

const debounceMs = 250;

export function AllAlbumsPage() {
  return (
    <DirectoryPage title={t('allAlbums')}>
      <Directory found={useInfiniteQuery(allAlbumsQuery)} more="albumsShowMore" empty={<NoAlbums />}>
        {(albums) => <AllAlbumCards albums={albums} />}
      </Directory>
    </DirectoryPage>
  );
}

export function PeoplePage() {
  const [typed, setTyped] = useState('');
  const [keyword, setKeyword] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const field = <SearchField label={t('searchPeople')} value={typed} onChange={setTyped} maxLength={50} />;
  return (
    <DirectoryPage title={t('people')} field={field}>
      <Directory
        found={useInfiniteQuery(peopleQuery(keyword))}
        more="showMorePeople"
        empty={<Card title={t('noPeopleFound')} icon={<Users size={32} strokeWidth={1.5} />} />}
      >
        {(people) => (
          <ul className={styles.directory}>
            {people.map((user) => (
              <PersonRow key={user.id} user={user} />
            ))}
          </ul>
        )}
      </Directory>
    </DirectoryPage>
  );
}

function DirectoryPage({
  title,
  field,
  children,
}: {
  title: string;
  field?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page title={title}>
      <div className={styles.page}>
        <div className={styles.head}>
          <h1>{title}</h1>
          {field}
        </div>
        {children}
      </div>
    </Page>
  );
}

interface DirectoryProps<Item> {
  found: UseInfiniteQueryResult<InfiniteData<PagedResponse<Item>>>;
  /** Text of the button that shows the next entries. */
  more: MessageKey;
  empty: ReactNode;
  children(items: Item[]): ReactNode;
}

function Directory<Item extends { id: number }>({ found, more, empty, children }: DirectoryProps<Item>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = found;
  if (error) return <ErrorNotice error={error} retry={() => void (data ? fetchNextPage() : refetch())} />;
  if (!data) return <div aria-busy="true" />;
  // An entry can be on two pages if the list changed between the requests.
  const items = [...new Map(data.pages.flatMap(({ list }) => list.map((one) => [one.id, one]))).values()];
  if (items.length === 0) return empty;
  return (
    <>
      {children(items)}
      {hasNextPage && (
        <p className={styles.more}>
          <button
            className="button quiet"
            type="button"
            aria-busy={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t(more)}
          </button>
        </p>
      )}
    </>
  );
}

function PersonRow({ user }: { user: User }) {
  return (
    <li>
      <Link to="/users/$name" params={{ name: user.username }}>
        <Avatar user={user} size={48} />
        <span>
          <bdi>{user.nickname || user.username}</bdi>
          <small>@{user.username}</small>
        </span>
      </Link>
    </li>
  );
}

function NoAlbums() {
  return (
    <Card
      title={t('noSharedAlbums')}
      text={t('noSharedAlbumsText')}
      icon={<AlbumIcon size={32} strokeWidth={1.5} />}
    />
  );
}
