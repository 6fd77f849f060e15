/** The page with those albums of a person that the viewer can see. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Album as AlbumIcon } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { WallHead } from '../ui/wall-head.tsx';
import { personQuery } from '../users/queries.ts';
import styles from './albums.module.css';
import { AlbumCards } from './cards.tsx';

export function PersonAlbumsPage() {
  const { name } = useParams({ from: '/users/$name/albums' });
  const { data: person, error, refetch } = useQuery(personQuery(name));
  const shown = person ? person.nickname || person.username : name;
  const icon = <AlbumIcon size={32} strokeWidth={1.5} />;
  return (
    <Page title={t('albumsOfPerson', { name: shown })}>
      {error && <ErrorNotice as="h1" error={error} retry={() => void refetch()} />}
      {person && (
        <div className={styles.page}>
          <WallHead title={t('albums')}>
            <Link className={styles.person} to="/users/$name" params={{ name }} dir="auto">
              {shown}
            </Link>
          </WallHead>
          <AlbumCards
            user={person.id}
            empty={<Card title={t('noAlbums')} text={t('noAlbumsOfPerson', { name: shown })} icon={icon} />}
          />
        </div>
      )}
    </Page>
  );
}
