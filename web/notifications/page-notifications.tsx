/** The page with all notifications. */
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { t } from '../messages/messages.ts';
import { Page } from '../ui/page.tsx';
import { NotificationList } from './list.tsx';
import styles from './notifications.module.css';

export function NotificationsPage() {
  if (!useUser()) return <SignInRequired title={t('notifications')} />;
  return (
    <Page title={t('notifications')}>
      <div className={styles.page}>
        <div className={styles.top}>
          <h1>{t('notifications')}</h1>
        </div>
        <NotificationList heading="h2" />
      </div>
    </Page>
  );
}
