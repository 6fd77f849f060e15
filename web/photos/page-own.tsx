/** The pages "favorites" and "feed" of the signed-in user. */
import { Outlet } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { loadWithTexts, t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { WallHead } from '../ui/wall-head.tsx';
import { createGalleryPhotoList, type PhotoList } from './queries.ts';
import { Wall } from './wall/wall.tsx';

const FollowSuggestions = lazy(
  loadWithTexts(
    () => import('../users/suggestions.tsx').then((part) => ({ default: part.FollowSuggestions })),
    'users',
  ),
);
const favoritesList = createGalleryPhotoList({ q: 'is:favorite' });
const feedList: PhotoList = { path: '/api/feed', query: {} };
const favoriteHref = (id: number) => `/favorites/photos/${id}`;
const feedHref = (id: number) => `/feed/photos/${id}`;

export function FavoritesPage() {
  return (
    <OwnWall
      {...{ list: favoritesList, title: t('favorites'), href: '/favorites', getHref: favoriteHref }}
      empty={
        <Card
          title={t('noFavorites')}
          text={t('noFavoritesText')}
          icon={<Star size={32} strokeWidth={1.5} />}
        >
          <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>
        </Card>
      }
    />
  );
}

export function FeedPage() {
  return (
    <OwnWall
      {...{ list: feedList, title: t('feed'), href: '/feed', getHref: feedHref }}
      empty={
        <Suspense>
          <FollowSuggestions />
        </Suspense>
      }
    />
  );
}

interface Props {
  list: PhotoList;
  title: string;
  href: string;
  getHref(id: number): string;
  empty: ReactNode;
}

function OwnWall({ title, ...wall }: Props) {
  const user = useUser();
  useTitle(title);
  if (!user) {
    return <SignInRequired title={title} />;
  }
  return (
    <Wall {...wall} title={title} head={<WallHead title={title} />}>
      <Outlet />
    </Wall>
  );
}
