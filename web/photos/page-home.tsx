/**
 * The home page: all photos that the viewer can see, newest first. A photo's URL opens the viewer above.
 */
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isNewUser } from '../../server/gallery/pages/new-user.ts';
import { useSite, useUser } from '../auth/queries.ts';
import { loadWithTexts, t } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import { homePhotoList, photoMonthsQuery } from './queries.ts';
import { VisitorHead } from './visitor-head.tsx';
import { Wall } from './wall/wall.tsx';

const EmptyGallery = lazy(
  loadWithTexts(
    () => import('../first-run/empty.tsx').then(({ EmptyGallery }) => ({ default: EmptyGallery })),
    'first-run',
  ),
);
const Welcome = lazy(
  loadWithTexts(
    () => import('../first-run/empty.tsx').then((part) => ({ default: part.Welcome })),
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
  const user = useUser();
  const isEmpty = useQuery(photoMonthsQuery(homePhotoList)).data?.length === 0;
  const site = useSite();
  const welcome = user && isNewUser(user) && <Welcome user={user.id} />;
  const head = !isEmpty && (user === null && site ? <VisitorHead site={site} /> : welcome);
  return (
    // The welcome loads before the wall is shown, so that no photo moves.
    <Suspense>
      <Wall
        list={homePhotoList}
        title={t('photos')}
        href="/"
        getHref={photoHref}
        head={head || undefined}
        empty={emptyGallery}
      >
        <Outlet />
      </Wall>
    </Suspense>
  );
}
