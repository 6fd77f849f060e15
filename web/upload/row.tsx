/** One file of an upload: name, progress and actions. */
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';
import { describeUploadRefusal } from './faults.ts';
import styles from './row.module.css';
import type { UploadItem } from './snapshot.ts';
import { FileThumbnail } from './thumbnail.tsx';

interface Props {
  item: UploadItem;
  index: number;
  total: number;
  top: string;
  maxBytes: number;
  onRemove(item: UploadItem): void;
}

export function UploadRow({ item, index, total, top, maxBytes, onRemove }: Props) {
  const { file, state, photo, refusal, isIn } = item;
  const isOnItsWay = state === 'sending' || (state === 'waiting' && item.sent > 0);
  const canBeRemoved = state === 'waiting' || state === 'sending' || state === 'refused';
  return (
    <li
      className={styles.row}
      style={{ top }}
      data-state={state}
      aria-posinset={index + 1}
      aria-setsize={total}
    >
      <FileThumbnail file={file} />
      <div className={styles.text}>
        <p className={styles.name} title={file.name}>
          {file.name}
        </p>
        <p className={styles.state} title={refusal && describeUploadRefusal(refusal, maxBytes)}>
          {describeState(item, maxBytes)}{' '}
          {photo !== undefined && (
            <Link to="/photos/$photoId" params={{ photoId: String(photo) }}>
              {t('uploadView')}
              <span className="unseen"> {file.name}</span>
            </Link>
          )}
          {isIn && (
            <>
              {' · '}
              <Link to="/albums/$albumId" params={{ albumId: String(isIn.id) }}>
                {t('uploadInAlbum', { album: isIn.name })}
              </Link>
            </>
          )}
        </p>
        {isOnItsWay && (
          <progress className={styles.bar} max={file.size} value={item.sent} aria-label={file.name} />
        )}
      </div>
      {canBeRemoved && (
        <button
          className={styles.remove}
          type="button"
          aria-label={t('uploadRemove', { name: file.name })}
          onClick={() => onRemove(item)}
        >
          <X size={18} aria-hidden="true" />
        </button>
      )}
    </li>
  );
}

function describeState({ state, file, sent, refusal }: UploadItem, maxBytes: number): string {
  if (state === 'refused') return describeUploadRefusal(refusal!, maxBytes);
  if (state === 'done') return t('uploadDone');
  if (state === 'duplicate') return t('uploadDuplicate');
  if (state === 'sending' && sent >= file.size) return t('uploadProcessing');
  if (state === 'waiting' && sent === 0) return formatBytes(file.size);
  return t('uploadBytes', { sent: formatBytes(sent), total: formatBytes(file.size) });
}
