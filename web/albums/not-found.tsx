/** Shown for an album that does not exist, also when an album is deleted while its page is open. */
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';

export function AlbumNotFound() {
  const user = useUser();
  return (
    <Page title={t('albumNotFound')}>
      <Card as="h1" title={t('albumNotFound')} text={t('albumNotFoundText')}>
        {user ? (
          <ButtonLink to="/albums">{t('goToAlbums')}</ButtonLink>
        ) : (
          <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>
        )}
      </Card>
    </Page>
  );
}
