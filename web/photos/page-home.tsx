/** The home page: all photos that one may see, newest first; a photo's own address opens it over them. */
import { Outlet } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { useSite, useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { homeList } from './queries.ts';
import { Wall } from './wall/wall.tsx';

const hrefOf = (id: number) => `/photos/${id}`;

export function HomePage() {
  useTitle('');
  return (
    <Wall list={homeList} title={t('photos')} href="/" hrefOf={hrefOf} empty={<Empty />}>
      <Outlet />
    </Wall>
  );
}

function Empty() {
  const site = useSite();
  const user = useUser();
  const icon = <Images size={32} strokeWidth={1.5} />;
  if (site && !site.has_users) {
    return (
      <Card title={t('firstRunTitle')} text={t('firstRunText')} icon={icon}>
        <ButtonLink to="/register">{t('firstRunAction')}</ButtonLink>
      </Card>
    );
  }
  return <Card title={t('emptyTitle')} text={user ? t('emptyOwnText') : t('emptyText')} icon={icon} />;
}
