/** The editor: a page over the viewer. Loads the history and the original that it begins with. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Trouble } from '../ui/trouble.tsx';
import { Desk } from './desk.tsx';
import styles from './editor.module.css';
import { editsOf } from './queries.ts';

interface Props {
  photo: PhotoItem;
  close(): void;
  /** The photo shows something else now. */
  onSaved(): void;
}

export function Editor({ photo, close, onSaved }: Props) {
  const { data, error, refetch } = useQuery(editsOf(photo.id));
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = page.current!;
    element.focus();
    // PhotoSwipe takes every turn of the wheel over its dialog: here it scrolls.
    const keep = (event: WheelEvent) => event.stopPropagation();
    element.addEventListener('wheel', keep);
    return () => element.removeEventListener('wheel', keep);
  }, []);
  return (
    <div
      className={styles.editor}
      ref={page}
      role="dialog"
      aria-modal="true"
      aria-label={t('editPhoto')}
      aria-busy={!data && !error}
      tabIndex={-1}
    >
      {data && <Desk {...{ photo, close, onSaved }} history={data} />}
      {error && !data && (
        <>
          <Trouble error={error} retry={() => void refetch()} />
          <button className="button quiet" type="button" onClick={close}>
            {t('close')}
          </button>
        </>
      )}
    </div>
  );
}
