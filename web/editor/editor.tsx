/** The photo editor, a page over the viewer. Loads the edit history and the original. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import styles from './editor.module.css';
import { EditorView } from './editor-view.tsx';
import { editHistoryQuery } from './queries.ts';

interface Props {
  photo: PhotoItem;
  close(): void;
  /** Called after a save, because the photo has a new image. */
  onSaved(): void;
}

export function Editor({ photo, close, onSaved }: Props) {
  const { data, error, refetch } = useQuery(editHistoryQuery(photo.id));
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = page.current!;
    element.focus();
    // PhotoSwipe handles wheel events in its dialog; the editor must scroll instead.
    const stopWheel = (event: WheelEvent) => event.stopPropagation();
    element.addEventListener('wheel', stopWheel);
    return () => element.removeEventListener('wheel', stopWheel);
  }, []);
  return (
    <div
      className={`always-dark ${styles.editor}`}
      ref={page}
      role="dialog"
      aria-modal="true"
      aria-label={t('editPhoto')}
      aria-busy={!data && !error}
      tabIndex={-1}
    >
      {data && <EditorView {...{ photo, close, onSaved }} history={data} />}
      {error && !data && (
        <>
          <ErrorNotice error={error} retry={() => void refetch()} />
          <button className="button quiet" type="button" onClick={close}>
            {t('close')}
          </button>
        </>
      )}
    </div>
  );
}
