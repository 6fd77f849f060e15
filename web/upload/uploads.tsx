/** All of uploading but its button: loaded when somebody is about to upload. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { Given, Picked } from './files.ts';
import { createFolderAlbums } from './folders.ts';
import { albumAt, endUpload, fillAlbum, libraryOf } from './queries.ts';
import { createQueue, type Queue } from './queue.ts';
import { readIsPublic, readKept } from './record.ts';
import { Tray } from './tray.tsx';

/** Files on their way outlive every page. */
let current: { user: number; queue: Queue } | undefined;

interface Props {
  user: number;
  maxBytes: number;
  given: Given | undefined;
  isOpen: boolean;
  choose(): void;
  take(picked: Picked[]): void;
  setOpen(isOpen: boolean): void;
  /** From 0 to 100; undefined where nothing is on its way. */
  onProgress(percent: number | undefined): void;
}

export function Uploads({ user, maxBytes, given, isOpen, choose, take, setOpen, onProgress }: Props) {
  const client = useQueryClient();
  const [queue] = useState(() => {
    if (current?.user === user) return current.queue;
    current?.queue.hold();
    const fields = { title: '', tags: '', isPublic: readIsPublic(), album: 0, asAlbums: true };
    const folderAlbums = createFolderAlbums(libraryOf(client, user));
    const onRest = (placed: Map<number, number[]>) => void endUpload(client, placed);
    const kept = readKept(user);
    const fill = (album: number, ids: number[]) => fillAlbum(client, album, ids);
    current = { user, queue: createQueue({ user, maxBytes, fields, kept, folderAlbums, onRest, fill }) };
    return current.queue;
  });
  const percent = useSyncExternalStore(queue.subscribe, () => percentOf(queue));
  useEffect(() => onProgress(percent), [onProgress, percent]);
  useEffect(() => {
    if (!given) return;
    setOpen(true);
    queue.add(given.picked, albumAt(client, user, given.at));
  }, [given, queue, setOpen, client, user]);
  if (!isOpen) return null;
  return createPortal(
    <Tray {...{ queue, user, maxBytes, choose, take }} hide={() => setOpen(false)} />,
    document.body,
  );
}

function percentOf(queue: Queue): number | undefined {
  const { isStarted, counts, bytes, sent } = queue.snapshot();
  if (!isStarted || counts.waiting + counts.sending === 0) return undefined;
  return Math.floor((100 * sent) / Math.max(1, bytes));
}
