/** The walls "Recently added" and "Most liked". */
import { Outlet } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { t } from '../messages/messages.ts';
import type { PhotoList } from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { WallHead } from '../ui/wall-head.tsx';
import { likedPhotoList, recentPhotoList } from './queries.ts';

const recentHref = (id: number) => `/explore/recent/photos/${id}`;
const likedHref = (id: number) => `/explore/liked/photos/${id}`;

export function RecentPhotosPage() {
  return (
    <SharedPhotos
      {...{ list: recentPhotoList, href: '/explore/recent', getHref: recentHref }}
      title={t('recentlyAdded')}
    />
  );
}

export function LikedPhotosPage() {
  return (
    <SharedPhotos
      {...{ list: likedPhotoList, href: '/explore/liked', getHref: likedHref }}
      title={t('mostLiked')}
    />
  );
}

interface Props {
  list: PhotoList;
  title: string;
  href: string;
  getHref(id: number): string;
}

function SharedPhotos({ title, ...wall }: Props) {
  useTitle(title);
  const icon = <Images size={32} strokeWidth={1.5} />;
  return (
    <Wall
      {...wall}
      title={title}
      head={<WallHead title={title} />}
      empty={<Card title={t('nothingShared')} text={t('nothingSharedText')} icon={icon} />}
    >
      <Outlet />
    </Wall>
  );
}
