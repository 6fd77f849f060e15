/** The page with the signed-in user's own albums. */
import { Album as AlbumIcon, Plus } from 'lucide-react';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { useDropHint } from '../ui/use-drop-hint.ts';
import { WallHead } from '../ui/wall-head.tsx';
import styles from './albums.module.css';
import { AlbumCards } from './cards.tsx';
import { NewAlbumButton } from './new-album-button.tsx';

export function AlbumsPage() {
  const user = useUser();
  const title = t('albums');
  const emptyText = useDropHint(t('noAlbumsText'), t('noAlbumsDrop'));
  if (!user) return <SignInRequired title={title} />;
  const icon = <AlbumIcon size={32} strokeWidth={1.5} />;
  return (
    <Page title={title}>
      <div className={styles.page}>
        <WallHead title={title}>
          <NewAlbumButton user={user.id} className="button quiet">
            <Plus size={18} aria-hidden="true" />
            {t('albumNew')}
          </NewAlbumButton>
        </WallHead>
        <AlbumCards user={user.id} empty={<Card title={t('noAlbums')} text={emptyText} icon={icon} />} />
      </div>
    </Page>
  );
}
