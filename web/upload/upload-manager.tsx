/** All upload components except the button, loaded on demand. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { readDefaultLevel } from '../visibility/default-level.ts';
import type { ChosenFiles, PickedFile } from './files.ts';
import { createFolderAlbums } from './folders.ts';
import { addPhotosToAlbum, createAlbumCalls, findPageAlbum, finishUploadBatch } from './queries.ts';
import { createUploadQueue, type UploadQueue } from './queue.ts';
import { readSavedUpload } from './saved-upload.ts';
import { UploadTray } from './tray.tsx';

/** The upload is kept outside React, so that it survives navigation. */
let currentUpload: { user: number; queue: UploadQueue } | undefined;

interface Props {
  user: number;
  maxBytes: number;
  maxMegapixels: number;
  given: ChosenFiles | undefined;
  isOpen: boolean;
  choose(): void;
  take(picked: PickedFile[]): void;
  setOpen(isOpen: boolean): void;
  /** Reports the progress from 0 to 100, or undefined without a running upload. */
  onProgress(percent: number | undefined): void;
}

export function UploadManager(props: Props) {
  const { user, maxBytes, maxMegapixels, given, isOpen, choose, take, setOpen, onProgress } = props;
  const client = useQueryClient();
  const [queue] = useState(() => {
    if (currentUpload?.user === user) return currentUpload.queue;
    currentUpload?.queue.hold();
    const fields = { title: '', tags: '', visibility: readDefaultLevel(user), album: 0, asAlbums: true };
    const folderAlbums = createFolderAlbums(createAlbumCalls(client, user));
    const onRest = (placed: Map<number, number[]>) => void finishUploadBatch(client, placed);
    const kept = readSavedUpload(user);
    const fill = (album: number, ids: number[]) => addPhotosToAlbum(client, album, ids);
    currentUpload = {
      user,
      queue: createUploadQueue({ user, maxBytes, maxMegapixels, fields, kept, folderAlbums, onRest, fill }),
    };
    return currentUpload.queue;
  });
  const percent = useSyncExternalStore(queue.subscribe, () => computePercent(queue));
  useEffect(() => onProgress(percent), [onProgress, percent]);
  useEffect(() => {
    if (!given) return;
    setOpen(true);
    queue.add(given.picked, findPageAlbum(client, user, given.at));
  }, [given, queue, setOpen, client, user]);
  if (!isOpen) return null;
  return createPortal(
    <UploadTray {...{ queue, user, maxBytes, choose, take }} hide={() => setOpen(false)} />,
    document.body,
  );
}

function computePercent(queue: UploadQueue): number | undefined {
  const { isStarted, counts, bytes, sent } = queue.snapshot();
  if (!isStarted || counts.waiting + counts.sending === 0) return undefined;
  return Math.floor((100 * sent) / Math.max(1, bytes));
}
