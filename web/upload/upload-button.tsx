/**
 * The upload button and dropping files anywhere in the window. All other scripts of uploads are loaded on
 * demand.
 */

import { useRouter } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { CurrentUser } from '../api/types.ts';
import { useSite } from '../auth/queries.ts';
import { loadWithTexts, t } from '../messages/messages.ts';
import { deleteSharedFiles, readSharedFiles, useIsOpenedToShare } from '../shared-files.ts';
import { type ChosenFiles, type PickedFile, readChosenFiles, readDroppedFiles } from './files.ts';
import styles from './upload-button.module.css';

const loadUploadManager = loadWithTexts(
  () => import('./upload-manager.tsx').then(({ UploadManager }) => ({ default: UploadManager })),
  'upload',
  'visibility',
);
const UploadManager = lazy(loadUploadManager);
const megabyte = 1024 * 1024;

export function UploadButton({ user }: { user: CurrentUser }) {
  const site = useSite();
  const input = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState<ChosenFiles>();
  // After a reload, an interrupted upload asks for its files again.
  const [isNeeded, setNeeded] = useState(() => hasSavedUpload(user.id));
  const [isOpen, setOpen] = useState(isNeeded);
  const [percent, setPercent] = useState<number>();
  const choose = useCallback(() => input.current!.click(), []);
  const take = useCallback((picked: PickedFile[]) => {
    if (picked.length === 0) return;
    setNeeded(true);
    setGiven({ picked, at: location.pathname });
  }, []);
  useSharedFiles(take);
  const isOver = useFileDrop(take);
  const isHidden = isNeeded && !isOpen && percent !== undefined;
  return (
    <>
      <button
        className={`button quiet ${styles.button}`}
        type="button"
        data-opens="uploads"
        onPointerEnter={() => void loadUploadManager().catch(() => {})}
        onFocus={() => void loadUploadManager().catch(() => {})}
        onClick={isHidden ? () => setOpen(true) : choose}
      >
        <Upload size={18} aria-hidden="true" />
        {isHidden ? t('percent', { percent }) : <span>{t('upload')}</span>}
      </button>
      <input
        ref={input}
        id="upload-files"
        className={styles.input}
        type="file"
        accept="image/*,.heic,.heif"
        multiple
        hidden
        onChange={({ target }) => {
          take(readChosenFiles(target.files));
          // An empty value lets the user choose the same files again.
          target.value = '';
        }}
      />
      {/* The bar has a transform, so an element inside it could not cover the window. */}
      {isOver &&
        createPortal(
          <div className={styles.drop} aria-hidden="true">
            <p>
              <Upload size={32} strokeWidth={1.5} />
              {t('uploadDrop')}
            </p>
          </div>,
          document.body,
        )}
      {isNeeded && site && (
        <Suspense>
          <UploadManager
            user={user.id}
            maxBytes={site.max_upload_mb * megabyte}
            maxMegapixels={site.max_megapixels}
            given={given}
            isOpen={isOpen}
            choose={choose}
            take={take}
            setOpen={setOpen}
            onProgress={setPercent}
          />
        </Suspense>
      )}
    </>
  );
}

/** Uploads the files that another app shared, once. */
function useSharedFiles(take: (picked: PickedFile[]) => void): void {
  const { history } = useRouter();
  const isOpenedToShare = useIsOpenedToShare();
  useEffect(() => {
    if (!isOpenedToShare) return;
    history.replace('/');
    void readSharedFiles().then(async (files) => {
      take(files.map((file) => ({ file, folder: '' })));
      deleteSharedFiles();
      if (files.length > 0) return;
      const { showToast } = await import('../ui/toast.tsx');
      showToast({ text: t('sharedFilesMissing'), isError: true });
    });
  }, [isOpenedToShare, history, take]);
}

/**
 * Returns whether an interrupted upload of this user is stored, so that saved-upload.ts is loaded only then.
 */
function hasSavedUpload(user: number): boolean {
  try {
    return localStorage.getItem('lightwell-upload')?.startsWith(`{"user":${user},`) ?? false;
  } catch {
    return false;
  }
}

/** Handles files dropped anywhere in the window. Returns true while files are dragged over the window. */
function useFileDrop(take: (picked: PickedFile[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => {
    // Each element sends `dragenter` before the previous one sends `dragleave`, so the events are counted.
    let depth = 0;
    // A browser also offers an image of the page as a file when the image is dragged.
    let isFromPage = false;
    const hasFiles = ({ dataTransfer }: DragEvent) =>
      !isFromPage && (dataTransfer?.types.includes('Files') ?? false);
    const handleDragStart = () => {
      isFromPage = true;
    };
    // The pointer moves only after a drag. The end of a drag is lost if its element has been removed.
    const handleDragEnd = () => {
      isFromPage = false;
    };
    const handleDragEnter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth++;
      setOver(true);
      void loadUploadManager().catch(() => {});
    };
    const handleDragLeave = (event: DragEvent) => {
      if (hasFiles(event) && --depth <= 0) setOver(false);
    };
    const handleDragOver = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const handleDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      void readDroppedFiles(event.dataTransfer!).then(take);
    };
    const events = {
      dragstart: handleDragStart,
      dragend: handleDragEnd,
      pointermove: handleDragEnd,
      dragenter: handleDragEnter,
      dragleave: handleDragLeave,
      dragover: handleDragOver,
      drop: handleDrop,
    };
    for (const [name, listener] of Object.entries(events))
      window.addEventListener(name as 'drop', listener, true);
    return () => {
      for (const [name, listener] of Object.entries(events))
        window.removeEventListener(name as 'drop', listener, true);
    };
  }, [take]);
  return isOver;
}
