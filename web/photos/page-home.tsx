/** The home page: all photos that one may see, newest first; a photo's own address opens it over them. */
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { t, withTexts } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import { homeList } from './queries.ts';
import { Wall } from './wall/wall.tsx';

const EmptyGallery = lazy(
  withTexts(
    () => import('../first-run/empty.tsx').then(({ EmptyGallery }) => ({ default: EmptyGallery })),
    'first-run',
  ),
);
const photoHref = (id: number) => `/photos/${id}`;

const emptyGallery = (
  <Suspense>
    <EmptyGallery />
  </Suspense>
);

export function HomePage() {
  useTitle('');
  return (
    <Wall list={homeList} title={t('photos')} href="/" hrefOf={photoHref} empty={emptyGallery}>
      <Outlet />
    </Wall>
  );
}
