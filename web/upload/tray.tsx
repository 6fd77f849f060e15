/**
 * The upload tray, beside the page or below it on a phone. The tray takes its own space and covers nothing.
 */
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, Pause, Play, Plus, RotateCcw, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { isRefusalRetryable } from './faults.ts';
import { UploadBatchForm } from './fields.tsx';
import type { PickedFile } from './files.ts';
import { FolderButton } from './folder-button.tsx';
import { UploadFileList } from './list.tsx';
import type { UploadQueue } from './queue.ts';
import { listWaitingFolders } from './snapshot.ts';
import { describeUploadPause, describeUploadStatus, isUploadFinished, UploadSummary } from './summary.tsx';
import styles from './tray.module.css';

interface Props {
  queue: UploadQueue;
  user: number;
  maxBytes: number;
  /** Opens the browser's file dialog. */
  choose(): void;
  take(picked: PickedFile[]): void;
  hide(): void;
}

export function UploadTray({ queue, user, maxBytes, choose, take, hide }: Props) {
  const now = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const { items, counts, isStarted, pause, kept, fields } = now;
  const over = isUploadFinished(now);
  const folders = useMemo(() => listWaitingFolders(items), [items]);
  const isRunning = isStarted && !over;
  const toRetry = items.filter(
    ({ refusal, state }) => state === 'refused' && isRefusalRetryable(refusal!),
  ).length;
  const canBegin = !isStarted && counts.waiting > 0;
  const tray = useRef<HTMLElement>(null);
  useEffect(() => {
    // The tray stands at the end of the document, so it takes the focus from the button that opened it, and
    // only from there.
    if (document.activeElement?.closest('[data-opens="uploads"]')) tray.current?.focus();
  }, []);
  const closeTray = () => {
    if (over) queue.clear();
    hide();
  };
  return (
    <aside
      className={styles.tray}
      ref={tray}
      tabIndex={-1}
      aria-label={t('uploads')}
      data-begins={canBegin || undefined}
    >
      <header className={styles.head}>
        <h2>{t('uploads')}</h2>
        <span className={styles.tools}>
          <button type="button" aria-label={t('uploadAdd')} title={t('uploadAdd')} onClick={choose}>
            <Plus size={20} aria-hidden="true" />
          </button>
          <FolderButton take={take} />
          {isRunning && pause === 'held' && (
            <button
              type="button"
              aria-label={t('uploadResume')}
              title={t('uploadResume')}
              onClick={queue.resumeSending}
            >
              <Play size={20} aria-hidden="true" />
            </button>
          )}
          {isRunning && !pause && (
            <button type="button" aria-label={t('uploadPause')} title={t('uploadPause')} onClick={queue.hold}>
              <Pause size={20} aria-hidden="true" />
            </button>
          )}
          <button
            type="button"
            aria-label={over ? t('close') : t('uploadMinimize')}
            title={over ? t('close') : t('uploadMinimize')}
            onClick={closeTray}
          >
            {over ? <X size={20} aria-hidden="true" /> : <HideButton />}
          </button>
        </span>
      </header>
      <p className="unseen" role="status">
        {describeUploadStatus(now)}
      </p>
      {items.length > 0 && <UploadSummary now={now} />}
      {pause && isRunning && (
        <p className={styles.notice}>
          {describeUploadPause(pause)} {pause === 'signedOut' && <Link to="/sign-in">{t('signIn')}</Link>}
          {(pause === 'signedOut' || pause === 'unreachable') && (
            <button className={styles.textual} type="button" onClick={queue.resumeSending}>
              {t('retry')}
            </button>
          )}
        </p>
      )}
      {kept && (
        <div className={styles.notice}>
          <p>
            {t('uploadUnfinished', { left: kept.left.length, total: kept.left.length + kept.done.length })}
          </p>
          <p className={styles.steps}>
            <button className="button" type="button" onClick={choose}>
              {t('uploadChooseFiles')}
            </button>
            <button className="button quiet" type="button" onClick={queue.forget}>
              {t('uploadDiscard')}
            </button>
          </p>
        </div>
      )}
      {canBegin && (
        <CheckedForm
          className={styles.begin}
          onSubmit={() => {
            queue.start();
            tray.current?.focus();
          }}
        >
          <UploadBatchForm {...{ user, fields, folders }} onChange={queue.setFields} />
          <button className={`button ${styles.start}`} type="submit">
            {t('uploadStart', { count: counts.waiting })}
          </button>
        </CheckedForm>
      )}
      {isRunning && counts.waiting > 0 && (
        <details className={styles.during}>
          <summary>
            {t('uploadWaitingOptions', { count: counts.waiting })}
            <ChevronDown size={18} aria-hidden="true" />
          </summary>
          <UploadBatchForm {...{ user, fields, folders }} onChange={queue.setFields} />
        </details>
      )}
      {toRetry > 0 && (
        <p className={styles.retry}>
          <button className="button quiet" type="button" onClick={queue.retry}>
            <RotateCcw size={18} aria-hidden="true" />
            {t('uploadRetryAll', { count: toRetry })}
          </button>
        </p>
      )}
      {over && counts.done > 0 && (
        <UploadedPhotosLink album={fields.album} onOpen={() => counts.refused === 0 && closeTray()} />
      )}
      {items.length > 0 && <UploadFileList items={items} maxBytes={maxBytes} onRemove={queue.remove} />}
      {!isStarted && (
        <p className={styles.other}>
          <Link to="/import">{t('uploadImport')}</Link>
        </p>
      )}
    </aside>
  );
}

/** Leads to the uploaded photos: to their album, or to the user's photos that were added last. */
function UploadedPhotosLink({ album, onOpen }: { album: number; onOpen(): void }) {
  const name = useUser()?.username ?? '';
  const label = t('uploadViewAll');
  return (
    <p className={styles.other}>
      {album > 0 ? (
        <Link to="/albums/$albumId" params={{ albumId: String(album) }} onClick={onOpen}>
          {label}
        </Link>
      ) : (
        <Link to="/search" search={{ q: `by:${name}`, sort: 'create_time' }} onClick={onOpen}>
          {label}
        </Link>
      )}
    </p>
  );
}

function HideButton() {
  return (
    <>
      <ChevronRight className={styles.wide} size={20} aria-hidden="true" />
      <ChevronDown className={styles.narrow} size={20} aria-hidden="true" />
    </>
  );
}
