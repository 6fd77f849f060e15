/** The first step of an import: choosing or dropping folders, ZIPs and files. */
import { FileArchive, FolderOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useDropHint } from '../ui/use-drop-hint.ts';
import { type PickedFile, readChosenFiles, readDroppedFiles } from '../upload/files.ts';
import styles from './import.module.css';
import type { ImportSession, ImportView } from './session.ts';

interface Props {
  session: ImportSession;
  view: Extract<ImportView, { phase: 'choose' | 'reading' }>;
}

export function ChooseFiles({ session, view }: Props) {
  const [hasFailed, setFailed] = useState(false);
  const take = (picked: PickedFile[]) => {
    setFailed(false);
    session.choose(picked).catch((error: unknown) => {
      setFailed(true);
      throw error;
    });
  };
  const isOver = useDrop(take);
  const dropHint = useDropHint('', t('importDrop'));
  if (view.phase === 'reading') {
    return (
      <p className={styles.text} role="status">
        {t('importReading', { count: view.read })}
      </p>
    );
  }
  return (
    <>
      {view.interrupted && (
        <div className={styles.notice}>
          <p>{t('importInterrupted')}</p>
          <button className="button quiet" type="button" onClick={session.forget}>
            {t('importDiscard')}
          </button>
        </div>
      )}
      <div className={styles.drop} data-over={isOver || undefined}>
        <p>{t('importIntro')}</p>
        <p className={styles.text}>{t('importAllParts')}</p>
        <div className={styles.actions}>
          <FileButton isFolder take={take} />
          <FileButton isFolder={false} take={take} />
        </div>
        {dropHint && <p className={styles.text}>{dropHint}</p>}
        {hasFailed && (
          <p className={styles.problem} role="alert">
            {t('importReadFailed')}
          </p>
        )}
      </div>
    </>
  );
}

function FileButton({ isFolder, take }: { isFolder: boolean; take(picked: PickedFile[]): void }) {
  const Icon = isFolder ? FolderOpen : FileArchive;
  const chooseFiles = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.webkitdirectory = isFolder;
    input.onchange = () => take(readChosenFiles(input.files));
    input.click();
  };
  return (
    <button className={isFolder ? 'button' : 'button quiet'} type="button" onClick={chooseFiles}>
      <Icon size={18} aria-hidden="true" />
      {t(isFolder ? 'importChooseFolder' : 'importChooseFiles')}
    </button>
  );
}

/** Takes files dropped anywhere on the page, before the upload button does. Returns true while files are above. */
function useDrop(take: (picked: PickedFile[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const listening = new AbortController();
    const listen = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      document.addEventListener(
        type,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.stopPropagation();
          act(event);
        },
        { capture: true, signal: listening.signal },
      );
    listen('dragenter', () => setOver(true));
    listen('dragover', (event) => event.preventDefault());
    listen('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false));
    listen('drop', (event) => {
      event.preventDefault();
      setOver(false);
      void readDroppedFiles(event.dataTransfer!, { withHidden: true }).then((picked) =>
        latest.current(picked),
      );
    });
    return () => listening.abort();
  }, []);
  return isOver;
}
