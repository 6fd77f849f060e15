/**
 * The home page: all photos that the viewer can see, newest first. A photo's URL opens the viewer above.
 */
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { loadWithTexts, t } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import { homePhotoList } from './queries.ts';
import { Wall } from './wall/wall.tsx';

const EmptyGallery = lazy(
  loadWithTexts(
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
    <Wall list={homePhotoList} title={t('photos')} href="/" getHref={photoHref} empty={emptyGallery}>
      <Outlet />
    </Wall>
  );
}
