/** The state of an upload at one time: its files and their totals. */
import type { UploadBatchFields } from './batch-fields.ts';
import type { AlbumReference, UploadRefusal } from './faults.ts';
import type { SavedUpload } from './saved-upload.ts';

export type UploadItemState = 'waiting' | 'sending' | 'done' | 'duplicate' | 'refused';

export interface UploadItem {
  key: number;
  file: File;
  folder: string;
  /** Album that the file was dropped on, if it differs from the batch's album. */
  album?: number | undefined;
  /** Album that the file was sent to. */
  sentTo?: number;
  state: UploadItemState;
  sent: number;
  tries: number;
  photo?: number | undefined;
  /** Album of a duplicate's existing photo; null without an album. */
  isIn?: AlbumReference | null;
  refusal?: UploadRefusal;
}

/** Reason why nothing is sent although files are waiting. */
export type UploadPauseReason = 'held' | 'offline' | 'unreachable' | 'rest' | 'signedOut';

export interface UploadQueueSnapshot {
  items: readonly UploadItem[];
  /** True after the user has started the upload. */
  isStarted: boolean;
  pause: UploadPauseReason | undefined;
  fields: UploadBatchFields;
  kept: SavedUpload | undefined;
  counts: Record<UploadItemState, number>;
  /** Total size of files that were or will be sent. */
  bytes: number;
  sent: number;
  secondsLeft: number | undefined;
}

const stateOrder: Record<UploadItemState, number> = {
  refused: 0,
  sending: 1,
  waiting: 2,
  done: 3,
  duplicate: 3,
};

export function summarizeUploadItems(
  items: UploadItem[],
): Pick<UploadQueueSnapshot, 'items' | 'counts' | 'bytes' | 'sent'> {
  const counts: Record<UploadItemState, number> = {
    waiting: 0,
    sending: 0,
    done: 0,
    duplicate: 0,
    refused: 0,
  };
  let [bytes, sent] = [0, 0];
  for (const { state, file, sent: ofIt } of items) {
    counts[state]++;
    if (state === 'refused' || state === 'duplicate') continue;
    bytes += file.size;
    sent += state === 'done' ? file.size : ofIt;
  }
  return { items: items.toSorted((a, b) => stateOrder[a.state] - stateOrder[b.state]), counts, bytes, sent };
}

/** Returns the folders of files that have not started. */
export function listWaitingFolders(items: readonly UploadItem[]): string[] {
  const waiting = items.filter(({ state, folder }) => state === 'waiting' && folder !== '');
  return [...new Set(waiting.map(({ folder }) => folder))].sort();
}

/** Groups duplicates without an album by the album they were sent to. */
export function groupDuplicatesWithoutAlbum(items: UploadItem[]): Map<number, UploadItem[]> {
  const loose = items.filter(
    ({ state, sentTo, isIn, photo }) => state === 'duplicate' && sentTo && isIn === null && photo,
  );
  return Map.groupBy(loose, ({ sentTo }) => sentTo!);
}

/** Groups new photos by album, in the order of their files. */
export function groupNewPhotosByAlbum(items: UploadItem[]): Map<number, number[]> {
  const placed = new Map<number, number[]>();
  const inOrder = items.toSorted((a, b) => a.key - b.key);
  for (const { state, sentTo, photo } of inOrder) {
    if (state !== 'done' || !sentTo || photo === undefined) continue;
    placed.set(sentTo, [...(placed.get(sentTo) ?? []), photo]);
  }
  return placed;
}
