/** An upload as a whole: how much is there, and how long it takes still. */
import { t } from '../messages/messages.ts';
import { bytesText } from '../ui/bytes.ts';
import { timeLeftText } from './figures.ts';
import type { Pause, Snapshot } from './snapshot.ts';
import styles from './summary.module.css';

export function Summary({ now }: { now: Snapshot }) {
  const { bytes, sent, counts, isStarted, secondsLeft } = now;
  const total = now.items.length;
  const ready = counts.done + counts.duplicate;
  const parts = isStarted
    ? [t('uploadOf', { done: ready, total }), isOver(now) ? refusedText(now) : '']
    : [t('uploadFound', { count: total })];
  const size = isStarted
    ? t('uploadPart', { sent: bytesText(sent), total: bytesText(bytes) })
    : bytesText(bytes);
  const time = isStarted && !isOver(now) ? timeLeftText(secondsLeft) : '';
  return (
    <div className={styles.summary}>
      <p>
        <span>{parts.filter(Boolean).join(' · ')}</span>
        <span className={styles.faded}>{[time, size].filter(Boolean).join(' · ')}</span>
      </p>
      {isStarted && (
        <progress
          className={styles.bar}
          max={Math.max(1, bytes)}
          value={isOver(now) ? Math.max(1, bytes) : sent}
          aria-label={t('uploads')}
        />
      )}
    </div>
  );
}

export function isOver({ counts, items }: Snapshot): boolean {
  return items.length > 0 && counts.waiting + counts.sending === 0;
}

/** For those who hear it: what changes seldom. */
export function statusOf(now: Snapshot): string {
  const { items, isStarted, pause, counts } = now;
  if (items.length === 0) return '';
  if (isOver(now)) {
    const ready = t('uploadOf', { done: counts.done + counts.duplicate, total: items.length });
    return [ready, refusedText(now)].filter(Boolean).join('. ');
  }
  if (!isStarted) return t('uploadFound', { count: items.length });
  return pause ? noticeOf(pause) : t('uploadRuns', { count: items.length });
}

export function noticeOf(pause: Pause): string {
  switch (pause) {
    case 'held':
      return t('uploadHeld');
    case 'offline':
      return t('uploadOffline');
    case 'unreachable':
      return t('uploadUnreachable');
    case 'rest':
      return t('uploadRest');
    case 'signedOut':
      return t('uploadSignedOut');
  }
}

function refusedText({ counts }: Snapshot): string {
  return counts.refused > 0 ? t('uploadRefused', { count: counts.refused }) : '';
}
