/** All of uploading but its button: loaded when somebody is about to upload. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { refreshLists } from './queries.ts';
import { createQueue, type Queue } from './queue.ts';
import { readIsPublic, readKept } from './record.ts';
import { Tray } from './tray.tsx';

/** Files on their way outlive every page. */
let current: { user: number; queue: Queue } | undefined;

interface Props {
  user: number;
  maxBytes: number;
  /** What was chosen or dropped last. */
  given: File[] | undefined;
  isOpen: boolean;
  choose(): void;
  setOpen(isOpen: boolean): void;
  /** From 0 to 100; undefined where nothing is on its way. */
  onProgress(percent: number | undefined): void;
}

export function Uploads({ user, maxBytes, given, isOpen, choose, setOpen, onProgress }: Props) {
  const client = useQueryClient();
  const [queue] = useState(() => {
    if (current?.user === user) return current.queue;
    current?.queue.hold();
    const fields = { title: '', tags: '', isPublic: readIsPublic(), album: 0 };
    const onRest = () => refreshLists(client);
    current = { user, queue: createQueue({ user, maxBytes, fields, kept: readKept(user), onRest }) };
    return current.queue;
  });
  const percent = useSyncExternalStore(queue.subscribe, () => percentOf(queue));
  useEffect(() => onProgress(percent), [onProgress, percent]);
  useEffect(() => {
    if (!given) return;
    setOpen(true);
    queue.add(given);
  }, [given, queue, setOpen]);
  if (!isOpen) return null;
  return createPortal(
    <Tray queue={queue} user={user} maxBytes={maxBytes} choose={choose} hide={() => setOpen(false)} />,
    document.body,
  );
}

function percentOf(queue: Queue): number | undefined {
  const { isStarted, counts, bytes, sent } = queue.snapshot();
  if (!isStarted || counts.waiting + counts.sending === 0) return undefined;
  return Math.floor((100 * sent) / Math.max(1, bytes));
}
