/** A popup with the latest notifications. */
import { Link } from '@tanstack/react-router';
import { t } from '../messages/messages.ts';
import { NotificationList } from './list.tsx';
import styles from './notifications.module.css';

export function NotificationPanel({ close }: { close(): void }) {
  return (
    <>
      <div className={styles.top}>
        <h2>{t('notifications')}</h2>
      </div>
      <NotificationList heading="h3" onOpen={close} />
      <p className={styles.all}>
        <Link to="/notifications" onClick={close}>
          {t('noticeSeeAll')}
        </Link>
      </p>
    </>
  );
}
