/**
 * The queue of an upload, which sends three files at a time. The queue pauses while the gallery is
 * unreachable and resumes automatically. A File refers to data on disk, so no bytes are held in memory.
 */
import { accountWatch } from '../api/account-watch.ts';
import { sessionRenewal } from '../api/session-renewal.ts';
import { readDefaultLevel } from '../visibility/default-level.ts';
import type { UploadBatchFields } from './batch-fields.ts';
import { checkFileLocally, isRefusalRetryable, type UploadFault, unopenableFileRefusal } from './faults.ts';
import { formatFileModifiedTime, type PickedFile } from './files.ts';
import type { FolderAlbums } from './folders.ts';
import { getFileKey, getUploadItemKey, type SavedUpload, writeSavedUpload } from './saved-upload.ts';
import { type ActiveUpload, deleteAbandonedUploads, sendFile } from './send.ts';
import {
  groupDuplicatesWithoutAlbum,
  groupNewPhotosByAlbum,
  summarizeUploadItems,
  type UploadItem,
  type UploadItemState,
  type UploadPauseReason,
  type UploadQueueSnapshot,
} from './snapshot.ts';
import { createSpeedometer } from './speed.ts';

const maxConcurrent = 3;
const maxTries = 5;
const notifyDelayMs = 150;
const saveDelayMs = 1000;
const maxBackoffMs = 30_000;

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** Creates a queue. `onRest` is called with the new photos of each album when no file is left to send. */
export function createUploadQueue(options: {
  user: number;
  maxBytes: number;
  maxMegapixels: number;
  fields: UploadBatchFields;
  kept: SavedUpload | undefined;
  folderAlbums: FolderAlbums;
  onRest(placed: Map<number, number[]>): void;
  /**
   * Adds photos without an album to an album. Resolves with the album's name and the ids of the added photos.
   */
  fill(album: number, photos: number[]): Promise<{ name: string; filled: number[] }>;
}) {
  const { user, maxBytes, maxMegapixels, folderAlbums, onRest, fill } = options;
  let { fields, kept } = options;
  let items: UploadItem[] = [];
  let isStarted = false;
  let pause: UploadPauseReason | undefined = navigator.onLine ? undefined : 'offline';
  let faultsInARow = 0;
  let added = 0;
  let nextKey = 1;
  let [timer, notifyTimer, saveTimer] = [0, 0, 0];
  const sendings = new Map<UploadItem, ActiveUpload>();
  const speed = createSpeedometer();
  const listeners = new Set<() => void>();
  let snapshot = readSnapshot();

  function readSnapshot(): UploadQueueSnapshot {
    const figures = summarizeUploadItems(items);
    const { counts, bytes, sent } = figures;
    if (isStarted && !pause && counts.sending > 0) speed.note(sent);
    const secondsLeft = pause ? undefined : speed.secondsFor(bytes - sent);
    return { ...figures, isStarted, pause, fields, kept, secondsLeft };
  }
  function notifyListener(): void {
    clearTimeout(notifyTimer);
    notifyTimer = 0;
    snapshot = readSnapshot();
    for (const listener of listeners) listener();
  }
  /** Limits updates of the display, because progress events are more frequent than anybody can read. */
  function notifySoon(): void {
    notifyTimer ||= window.setTimeout(notifyListener, notifyDelayMs);
  }
  function saveSoon(): void {
    saveTimer ||= window.setTimeout(saveNow, saveDelayMs);
  }
  function saveNow(): void {
    clearTimeout(saveTimer);
    saveTimer = 0;
    if (!isStarted) return;
    const filterByState = (states: UploadItemState[]) =>
      items.filter(({ state }) => states.includes(state)).map((item) => getUploadItemKey(item));
    const left = [...new Set([...filterByState(['waiting', 'sending']), ...(kept?.left ?? [])])];
    const done = [...new Set([...filterByState(['done', 'duplicate']), ...(kept?.done ?? [])])];
    const folders = items.filter(({ state, folder }) => folder !== '' && state !== 'done');
    const foldersByFile = Object.fromEntries(folders.map(({ file, folder }) => [getFileKey(file), folder]));
    writeSavedUpload({ user, fields, left, done, folderOf: { ...kept?.folderOf, ...foldersByFile } });
  }

  /** Starts as many waiting files as there are free slots. */
  function startNext(): void {
    if (!isStarted || pause) return;
    const slots = faultsInARow > 0 ? 1 : maxConcurrent;
    for (const item of items) {
      if (sendings.size >= slots) break;
      if (item.state === 'waiting') startItem(item);
    }
    if (sendings.size > 0) {
      saveSoon();
    } else {
      saveNow();
      for (const [album, loose] of groupDuplicatesWithoutAlbum(items)) void addToAlbum(loose, album);
      if (added > 0) onRest(groupNewPhotosByAlbum(items));
      // Later moves of the photos are up to the user, so the target album is forgotten.
      for (const item of items) delete item.sentTo;
      added = 0;
    }
    notifyListener();
  }
  function startItem(item: UploadItem): void {
    item.state = 'sending';
    sendings.set(
      item,
      sendFile({ ...item, maxMegapixels }, () => buildMetadata(item), {
        onProgress(sent) {
          item.sent = sent;
          notifySoon();
          if (sent === 0 || faultsInARow === 0) return;
          faultsInARow = 0;
          startNext();
        },
        onDone(photo) {
          added++;
          finishItem(item, { state: 'done', photo, sent: item.file.size });
        },
        onFault: (fault) => handleFailure(item, fault),
      }),
    );
  }
  async function buildMetadata(item: UploadItem): Promise<Record<string, string>> {
    const { title, tags, visibility, album: ofAll, asAlbums } = fields;
    const { file, folder } = item;
    const base = item.album ?? ofAll;
    item.sentTo = asAlbums ? await folderAlbums.ensureAlbum(folder, base, visibility) : base;
    return {
      title: title.trim() || file.name.replace(/\.\w+$/, ''),
      visibility,
      file_time: formatFileModifiedTime(file),
      ...(tags.trim() && { tags }),
      ...(item.sentTo && { album_id: String(item.sentTo) }),
    };
  }
  function finishItem(item: UploadItem, as: Partial<UploadItem>): void {
    Object.assign(item, as);
    sendings.delete(item);
    faultsInARow = 0;
    startNext();
  }
  /** Adds duplicates without an album to the album that the user uploaded to. */
  async function addToAlbum(loose: UploadItem[], album: number): Promise<void> {
    try {
      const { name, filled } = await fill(
        album,
        loose.map(({ photo }) => photo!),
      );
      for (const item of loose) if (filled.includes(item.photo!)) item.isIn = { id: album, name };
    } catch {
      // The album was deleted, so the photos stay in the gallery without an album, as their rows show.
    }
    notifyListener();
  }
  function handleFailure(item: UploadItem, fault: UploadFault): void {
    if (fault.kind === 'duplicate') {
      finishItem(item, { state: 'duplicate', photo: fault.photo, isIn: fault.album });
    } else if (fault.kind === 'refused' || (fault.kind === 'again' && ++item.tries >= maxTries)) {
      finishItem(item, { state: 'refused', refusal: fault.refusal, sent: 0 });
    } else if (fault.kind === 'signedOut') {
      pauseSending('signedOut');
      void sessionRenewal.renew().then((isRenewed) => isRenewed && resumeSending());
    } else if (fault.kind === 'rest') {
      pauseSending('rest', fault.until - Date.now());
    } else {
      faultsInARow++;
      pauseSending('unreachable', Math.min(maxBackoffMs, 500 * 2 ** faultsInARow));
    }
  }
  /**
   * Pauses running uploads, which resume later where they stopped. Without `ms`, only a call of
   * `resumeSending` resumes them.
   */
  function pauseSending(why: UploadPauseReason, ms?: number): void {
    clearTimeout(timer);
    pause = why;
    speed.reset();
    for (const [item, sending] of sendings) {
      sending.stop(false);
      item.state = 'waiting';
    }
    sendings.clear();
    if (ms !== undefined) timer = window.setTimeout(resumeSending, Math.max(0, ms));
    notifyListener();
  }
  function resumeSending(): void {
    clearTimeout(timer);
    pause = navigator.onLine ? undefined : 'offline';
    startNext();
    notifyListener();
  }

  window.addEventListener('offline', () => {
    if (pause !== 'held') pauseSending('offline');
  });
  window.addEventListener('online', () => {
    if (pause === 'offline' || pause === 'unreachable') resumeSending();
  });
  window.addEventListener('pagehide', saveNow);
  window.addEventListener('beforeunload', (event) => {
    if (accountWatch.isReplaced()) return;
    if (isStarted && snapshot.counts.waiting + snapshot.counts.sending > 0) event.preventDefault();
  });
  void deleteAbandonedUploads(false);

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => snapshot,
    /** Adds files to the queue. `here` is the id of the current page's album, or 0. */
    add(picked: PickedFile[], here: number): void {
      const isIdle = !items.some(({ state }) => state === 'waiting' || state === 'sending');
      if (isIdle) {
        items = items.filter(({ state }) => state === 'refused');
        isStarted = false;
        fields = { ...fields, visibility: readDefaultLevel(user), album: here };
      }
      const known = new Set(items.map((item) => getUploadItemKey(item)));
      const done = new Set(kept?.done);
      let isGoingOn = false;
      const album = here === 0 || here === fields.album ? {} : { album: here };
      for (const { file, isClosed, ...found } of picked) {
        const folder = found.folder || (kept?.folderOf?.[getFileKey(file)] ?? '');
        const identity = getUploadItemKey({ file, folder });
        if (known.has(identity) || done.has(identity)) continue;
        known.add(identity);
        isGoingOn ||= kept?.left.includes(identity) ?? false;
        const refusal = isClosed ? unopenableFileRefusal : checkFileLocally(file, maxBytes);
        const state = refusal ? 'refused' : 'waiting';
        const begun = { state, sent: 0, tries: 0, ...(refusal && { refusal }) } as const;
        items.push({ key: nextKey++, file, folder, ...album, ...begun });
      }
      if (kept && isGoingOn) {
        kept = { ...kept, left: kept.left.filter((identity) => !known.has(identity)) };
        fields = kept.fields;
        if (kept.left.length === 0) kept = undefined;
        isStarted = true;
      }
      startNext();
      notifyListener();
    },
    start(): void {
      isStarted = true;
      startNext();
    },
    setFields(changed: Partial<UploadBatchFields>): void {
      fields = { ...fields, ...changed };
      // The chosen album also applies to files that were dropped on another album.
      if (changed.album !== undefined) for (const item of items) delete item.album;
      saveSoon();
      notifyListener();
    },
    hold: () => pauseSending('held'),
    resumeSending,
    /** Retries all refused files that may be accepted now. */
    retry(): void {
      folderAlbums.forget();
      for (const item of items) {
        if (item.state !== 'refused' || !isRefusalRetryable(item.refusal!)) continue;
        Object.assign(item, { state: 'waiting', tries: 0 });
      }
      isStarted = true;
      startNext();
      notifyListener();
    },
    remove(item: UploadItem): void {
      sendings.get(item)?.stop(true);
      sendings.delete(item);
      items = items.filter((other) => other !== item);
      startNext();
      saveSoon();
      notifyListener();
    },
    /** Discards the rest of an upload that a reload interrupted. */
    forget(): void {
      kept = undefined;
      writeSavedUpload(undefined);
      void deleteAbandonedUploads(true);
      notifyListener();
    },
    /** Removes finished files from the list. */
    clear(): void {
      items = items.filter(({ state }) => state === 'waiting' || state === 'sending');
      notifyListener();
    },
  };
}
