/** The page "Explore": the latest and most liked photos, albums, people and tags of the gallery. */
import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import type { User } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import type { PhotoList } from '../photos/queries.ts';
import { formatSearchCondition } from '../search/parts.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { AllAlbumCards } from './album-cards.tsx';
import styles from './explore.module.css';
import { PhotoStrip } from './photo-strip.tsx';
import {
  allAlbumsQuery,
  likedPhotoList,
  peopleQuery,
  photoStripQuery,
  recentPhotoList,
  tagsQuery,
} from './queries.ts';

const maxAlbums = 8;
const maxPeople = 12;

export function ExplorePage() {
  const user = useUser();
  const recent = useQuery(photoStripQuery(recentPhotoList));
  const albums = useInfiniteQuery(allAlbumsQuery);
  const people = useInfiniteQuery(peopleQuery(''));
  const tags = useInfiniteQuery(tagsQuery);
  const shownAlbums = albums.data?.pages[0]?.list ?? [];
  const shownPeople = people.data?.pages[0]?.list ?? [];
  const allTags = tags.data?.pages.flatMap(({ list }) => list) ?? [];
  const isEmpty =
    recent.data?.pagination.total === 0 && albums.data !== undefined && shownAlbums.length === 0;
  return (
    <Page title={t('explore')}>
      <div className={styles.page}>
        <h1>{t('explore')}</h1>
        {recent.error && <ErrorNotice error={recent.error} retry={() => void recent.refetch()} />}
        {isEmpty && <NothingShared />}
        <Photos list={recentPhotoList} found={recent} title={t('recentlyAdded')} to="/explore/recent" />
        <LikedPhotos />
        {shownAlbums.length > 0 && (
          <Section title={t('albums')} more={<Link to="/explore/albums">{t('showAll')}</Link>}>
            <AllAlbumCards albums={shownAlbums.slice(0, maxAlbums)} />
          </Section>
        )}
        {shownPeople.length > 0 && (
          <Section
            title={t('people')}
            more={
              <>
                {user && <Link to="/feed">{t('feed')}</Link>}
                <Link to="/explore/people">{t('showAll')}</Link>
              </>
            }
          >
            <ul className={styles.people}>
              {shownPeople.slice(0, maxPeople).map((user) => (
                <PersonCard key={user.id} user={user} />
              ))}
            </ul>
          </Section>
        )}
        {allTags.length > 0 && (
          <Section title={t('tags')}>
            <ul className={styles.tags}>
              {allTags.map(({ name, count }) => (
                <li key={name}>
                  <Link to="/search" search={{ q: formatSearchCondition('tag', name) }}>
                    <bdi>{name}</bdi> <small>{count}</small>
                  </Link>
                </li>
              ))}
            </ul>
            {tags.hasNextPage && (
              <button className="button quiet" type="button" onClick={() => void tags.fetchNextPage()}>
                {t('showMoreTags')}
              </button>
            )}
          </Section>
        )}
      </div>
    </Page>
  );
}

function LikedPhotos() {
  const found = useQuery(photoStripQuery(likedPhotoList));
  if (!found.data?.list[0]?.likes) return null;
  return <Photos list={likedPhotoList} found={found} title={t('mostLiked')} to="/explore/liked" />;
}

interface PhotosProps {
  list: PhotoList;
  found: Pick<UseQueryResult<{ list: Parameters<typeof PhotoStrip>[0]['photos'] }>, 'data'>;
  title: string;
  to: '/explore/recent' | '/explore/liked';
}

function Photos({ list, found, title, to }: PhotosProps) {
  const photos = found.data?.list.filter(({ likes }) => list === recentPhotoList || likes > 0);
  if (photos?.length === 0) return null;
  return (
    <Section title={title} more={<Link to={to}>{t('showAll')}</Link>}>
      <PhotoStrip photos={photos ?? []} to={to} label={title} />
    </Section>
  );
}

function Section({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}

function PersonCard({ user }: { user: User }) {
  return (
    <li>
      <Link to="/users/$name" params={{ name: user.username }}>
        <Avatar user={user} size={72} />
        <bdi>{user.nickname || user.username}</bdi>
      </Link>
    </li>
  );
}

function NothingShared() {
  const user = useUser();
  const icon = <Compass size={32} strokeWidth={1.5} />;
  return (
    <Card title={t('nothingShared')} text={t('nothingSharedText')} icon={icon}>
      {user && <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>}
      {user === null && <ButtonLink to="/sign-in">{t('signIn')}</ButtonLink>}
    </Card>
  );
}
