/** The home page: all photos that one may see, newest first; a photo's own address opens it over them. */
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { t, withTexts } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import { homeList } from './queries.ts';
import { Wall } from './wall/wall.tsx';

const Empty = lazy(
  withTexts(() => import('../first-run/empty.tsx').then(({ Empty }) => ({ default: Empty })), 'first-run'),
);
const hrefOf = (id: number) => `/photos/${id}`;

const empty = (
  <Suspense>
    <Empty />
  </Suspense>
);

export function HomePage() {
  useTitle('');
  return (
    <Wall list={homeList} title={t('photos')} href="/" hrefOf={hrefOf} empty={empty}>
      <Outlet />
    </Wall>
  );
}
