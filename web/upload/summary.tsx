/** The totals of an upload: files, bytes and remaining time. */
import { t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';
import type { UploadPauseReason, UploadQueueSnapshot } from './snapshot.ts';
import styles from './summary.module.css';
import { formatTimeLeft } from './time-left.ts';

export function UploadSummary({ now }: { now: UploadQueueSnapshot }) {
  const { bytes, sent, counts, isStarted, secondsLeft } = now;
  const total = now.items.length;
  const ready = counts.done + counts.duplicate;
  const parts = isStarted
    ? [t('uploadProgress', { done: ready, total }), isUploadFinished(now) ? describeRefused(now) : '']
    : [t('uploadFound', { count: total })];
  const hasSent = !isUploadFinished(now) || ready > 0;
  const size = isStarted
    ? hasSent && t('uploadBytes', { sent: formatBytes(sent), total: formatBytes(bytes) })
    : formatBytes(bytes);
  const time = isStarted && !isUploadFinished(now) ? formatTimeLeft(secondsLeft) : '';
  return (
    <div className={styles.summary}>
      <p>
        <span>{parts.filter(Boolean).join(' · ')}</span>
        <span className={styles.faded}>{[time, size].filter(Boolean).join(' · ')}</span>
      </p>
      {isStarted && hasSent && (
        <progress
          className={styles.bar}
          max={Math.max(1, bytes)}
          value={isUploadFinished(now) ? Math.max(1, bytes) : sent}
          aria-label={t('uploads')}
        />
      )}
    </div>
  );
}

export function isUploadFinished({ counts, items }: UploadQueueSnapshot): boolean {
  return items.length > 0 && counts.waiting + counts.sending === 0;
}

/** Returns the status for screen readers: only parts that change seldom. */
export function describeUploadStatus(now: UploadQueueSnapshot): string {
  const { items, isStarted, pause, counts } = now;
  if (items.length === 0) return '';
  if (isUploadFinished(now)) {
    const ready = t('uploadProgress', { done: counts.done + counts.duplicate, total: items.length });
    return [ready, describeRefused(now)].filter(Boolean).join('. ');
  }
  if (!isStarted) return t('uploadFound', { count: items.length });
  return pause ? describeUploadPause(pause) : t('uploadRuns', { count: items.length });
}

export function describeUploadPause(pause: UploadPauseReason): string {
  switch (pause) {
    case 'held':
      return t('uploadPaused');
    case 'offline':
      return t('uploadOffline');
    case 'unreachable':
      return t('uploadUnreachable');
    case 'rest':
      return t('uploadLimited');
    case 'signedOut':
      return t('uploadSignedOut');
  }
}

function describeRefused({ counts }: UploadQueueSnapshot): string {
  return counts.refused > 0 ? t('uploadFailed', { count: counts.refused }) : '';
}
