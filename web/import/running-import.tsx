/** The third step of an import: its progress, and buttons to pause and to stop. */
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type MessageKey, t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';
import { formatTimeLeft } from '../upload/time-left.ts';
import type { ImportPause } from './gate.ts';
import styles from './import.module.css';
import type { ImportSession, ImportView } from './session.ts';

interface Props {
  session: ImportSession;
  view: Extract<ImportView, { phase: 'running' }>;
}

const pauseTexts: Record<ImportPause, MessageKey> = {
  held: 'importPauseHeld',
  offline: 'importPauseOffline',
  unreachable: 'importPauseUnreachable',
  rest: 'importPauseRest',
  signedOut: 'importPauseSignedOut',
  quota: 'importPauseQuota',
  full: 'importPauseFull',
};

export function RunningImport({ session, view }: Props) {
  const { plan, progress, totalBytes, secondsLeft } = view;
  const { imported, duplicate, refused, pause, bytes, current, state } = progress;
  const total = plan.photos.length;
  const done = imported + duplicate + refused;
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const sizes = t('importBytes', { sent: formatBytes(bytes), total: formatBytes(totalBytes) });
  return (
    <section className={styles.panel}>
      <h2 ref={head} tabIndex={-1}>
        {t('importRunning')}
      </h2>
      <p className="unseen" role="status">
        {state === 'filling' ? t('importFilling') : pause ? t(pauseTexts[pause]) : t('importRunning')}
      </p>
      <p className={styles.figures}>
        <span>{t('importProgress', { done, total })}</span>
        <span className={styles.text}>
          {[formatTimeLeft(secondsLeft), sizes].filter(Boolean).join(' · ')}
        </span>
      </p>
      <progress
        className={styles.bar}
        max={Math.max(1, totalBytes)}
        value={Math.min(bytes, totalBytes)}
        aria-label={t('importRunning')}
      />
      <p className={styles.text}>{t('importCounts', { imported, duplicate, refused })}</p>
      {pause ? (
        <p className={styles.notice}>
          {t(pauseTexts[pause])} {pause === 'signedOut' && <Link to="/sign-in">{t('signIn')}</Link>}
        </p>
      ) : (
        <ul className={styles.current}>
          {state === 'filling' && <li>{t('importFilling')}</li>}
          {current.map((path) => (
            <li key={path} dir="auto">
              {path}
            </li>
          ))}
        </ul>
      )}
      {state === 'running' && (
        <div className={styles.actions}>
          {pause && pause !== 'offline' ? (
            <button className="button" type="button" onClick={session.resume}>
              {t('importResume')}
            </button>
          ) : (
            <button className="button quiet" type="button" onClick={session.hold}>
              {t('importPause')}
            </button>
          )}
          <button className="button quiet" type="button" onClick={session.stop}>
            {t('importStop')}
          </button>
        </div>
      )}
    </section>
  );
}
