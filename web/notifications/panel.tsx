/** The latest notifications, over the page. */
import { Link } from '@tanstack/react-router';
import { t } from '../messages/messages.ts';
import { NotificationList } from './list.tsx';
import { MarkAll } from './mark-all.tsx';
import styles from './notifications.module.css';

export function Panel({ close }: { close(): void }) {
  return (
    <>
      <div className={styles.top}>
        <h2>{t('notifications')}</h2>
        <MarkAll />
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
