/** Shows how much of the user's quota is used. */
import type { CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';
import styles from './storage.module.css';

const megabyte = 1024 * 1024;

export function StorageUsage({ user }: { user: CurrentUser }) {
  const { storage_used: used, quota_mb: quota } = user;
  if (quota === null)
    return <p className={styles.storage}>{t('storageUsed', { used: formatBytes(used) })}</p>;
  const text = t('storageUsedOf', { used: formatBytes(used), quota: formatBytes(quota * megabyte) });
  return (
    <div className={styles.storage}>
      <meter aria-label={t('storage')} value={used} max={quota * megabyte} high={0.9 * quota * megabyte} />
      <span>{text}</span>
    </div>
  );
}
