/** A button that marks all notifications as read, shown while unread notifications exist. */
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import styles from './notifications.module.css';
import { useMarkNotificationsRead } from './queries.ts';

export function MarkAllReadButton() {
  const mark = useMarkNotificationsRead();
  if (!useUser()?.unread) return null;
  return (
    <button className={styles.act} type="button" onClick={() => mark.mutate('all')}>
      {t('noticeMarkAllRead')}
    </button>
  );
}
