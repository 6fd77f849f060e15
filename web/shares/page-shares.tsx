/** The page with the user's share links: target, number of views, expiry, and buttons to change or revoke. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';
import { sharesQuery } from './queries.ts';
import { ShareItem } from './share-item.tsx';
import styles from './shares.module.css';

export function SharesPage() {
  const user = useUser();
  if (!user) return <SignInRequired title={t('shares')} />;
  return (
    <Page title={t('shares')}>
      <ShareList />
    </Page>
  );
}

function ShareList() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(sharesQuery);
  if (error && !data) return <ErrorNotice as="h1" error={error} retry={() => void refetch()} />;
  const shares = data?.pages.flatMap(({ list }) => list) ?? [];
  if (data && shares.length === 0) {
    return (
      <div className={styles.page}>
        <h1>{t('shares')}</h1>
        <Card title={t('noShares')} text={t('noSharesText')} icon={<Link2 size={32} strokeWidth={1.5} />}>
          <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>
        </Card>
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <h1>{t('shares')}</h1>
      {!data && <p className={styles.text}>{t('loading')}</p>}
      <ul className={styles.list}>
        {shares.map((share) => (
          <ShareItem key={share.id} share={share} />
        ))}
      </ul>
      {hasNextPage && (
        <button
          className="button quiet"
          type="button"
          aria-busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('sharesShowMore')}
        </button>
      )}
    </div>
  );
}
