/** How much of one's room is used. */
import type { CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { bytesText } from '../ui/bytes.ts';
import styles from './storage.module.css';

const megabyte = 1024 * 1024;

export function Storage({ user }: { user: CurrentUser }) {
  const { storage_used: used, quota_mb: quota } = user;
  if (quota === null) return <p className={styles.storage}>{t('storageUsed', { used: bytesText(used) })}</p>;
  const text = t('storageOf', { used: bytesText(used), quota: bytesText(quota * megabyte) });
  return (
    <div className={styles.storage}>
      <meter aria-label={t('storage')} value={used} max={quota * megabyte} high={0.9 * quota * megabyte} />
      <span>{text}</span>
    </div>
  );
}
