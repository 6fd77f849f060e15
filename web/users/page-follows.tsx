/** The pages with the followers of a person and the people whom a person follows. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import styles from './follows.module.css';
import { PersonItem } from './person-item.tsx';
import { type FollowDirection, followsQuery, personQuery } from './queries.ts';

export function FollowersPage() {
  return <FollowsPage which="followers" name={useParams({ from: '/users/$name/followers' }).name} />;
}

export function FollowingPage() {
  return <FollowsPage which="following" name={useParams({ from: '/users/$name/following' }).name} />;
}

function FollowsPage({ which, name }: { which: FollowDirection; name: string }) {
  const { data: person } = useQuery(personQuery(name));
  const shown = person ? person.nickname || person.username : name;
  const title = t(which === 'followers' ? 'followersOf' : 'followingOf', { name: shown });
  return (
    <Page title={title}>
      <div className={styles.page}>
        <h1 dir="auto">{title}</h1>
        <nav className={styles.sides} aria-label={shown}>
          <Link to="/users/$name" params={{ name }} activeOptions={{ exact: true }}>
            {t('photos')}
          </Link>
          <Link to="/users/$name/followers" params={{ name }}>
            {person ? t('followers', { count: person.stats.followers }) : '…'}
          </Link>
          <Link to="/users/$name/following" params={{ name }}>
            {person ? t('followingCount', { count: person.stats.following }) : '…'}
          </Link>
        </nav>
        <FollowList key={which} which={which} name={name} />
      </div>
    </Page>
  );
}

function FollowList({ which, name }: { which: FollowDirection; name: string }) {
  const me = useUser();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    followsQuery(name, which),
  );
  if (error) return <ErrorNotice error={error} retry={() => void (data ? fetchNextPage() : refetch())} />;
  if (!data) return <div aria-busy="true" />;
  const people = [...new Map(data.pages.flatMap(({ list }) => list.map((one) => [one.id, one]))).values()];
  if (people.length === 0) {
    const title = t(which === 'followers' ? 'noFollowers' : 'noFollowing');
    return <Card title={title} icon={<Users size={32} strokeWidth={1.5} />} />;
  }
  return (
    <>
      <ul className={styles.people}>
        {people.map((one) => (
          <PersonItem key={one.id} person={one} isOffered={Boolean(me && me.id !== one.id)} />
        ))}
      </ul>
      {hasNextPage && (
        <p className={styles.more}>
          <button
            className="button quiet"
            type="button"
            aria-busy={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('showMorePeople')}
          </button>
        </p>
      )}
    </>
  );
}
