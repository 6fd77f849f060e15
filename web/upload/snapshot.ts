/** An upload as it is now: its files, and what they come to. */
import type { BatchFields } from './batch-fields.ts';
import type { AlbumReference, UploadRefusal } from './faults.ts';
import type { SavedUpload } from './saved-upload.ts';

export type ItemState = 'waiting' | 'sending' | 'done' | 'duplicate' | 'refused';

export interface UploadItem {
  key: number;
  file: File;
  folder: string;
  /** Where it was dropped, if that is another album than that of the batch. */
  album?: number | undefined;
  /** The album that it was sent to. */
  sentTo?: number;
  state: ItemState;
  sent: number;
  tries: number;
  photo?: number | undefined;
  /** Of a duplicate: the album that it is in; null for none. */
  isIn?: AlbumReference | null;
  refusal?: UploadRefusal;
}

/** Why nothing is sent although there is something to send. */
export type PauseReason = 'held' | 'offline' | 'unreachable' | 'rest' | 'signedOut';

export interface QueueSnapshot {
  items: readonly UploadItem[];
  /** The person has said that it may begin. */
  isStarted: boolean;
  pause: PauseReason | undefined;
  fields: BatchFields;
  kept: SavedUpload | undefined;
  counts: Record<ItemState, number>;
  /** Of what is or was to be sent. */
  bytes: number;
  sent: number;
  secondsLeft: number | undefined;
}

const stateOrder: Record<ItemState, number> = { refused: 0, sending: 1, waiting: 2, done: 3, duplicate: 3 };

export function summarizeItems(
  items: UploadItem[],
): Pick<QueueSnapshot, 'items' | 'counts' | 'bytes' | 'sent'> {
  const counts: Record<ItemState, number> = { waiting: 0, sending: 0, done: 0, duplicate: 0, refused: 0 };
  let [bytes, sent] = [0, 0];
  for (const { state, file, sent: ofIt } of items) {
    counts[state]++;
    if (state === 'refused' || state === 'duplicate') continue;
    bytes += file.size;
    sent += state === 'done' ? file.size : ofIt;
  }
  return { items: items.toSorted((a, b) => stateOrder[a.state] - stateOrder[b.state]), counts, bytes, sent };
}

/** The folders of what has not begun. */
export function listFolders(items: readonly UploadItem[]): string[] {
  const waiting = items.filter(({ state, folder }) => state === 'waiting' && folder !== '');
  return [...new Set(waiting.map(({ folder }) => folder))].sort();
}

/** Duplicates that are in no album, by the album that they were sent to. */
export function groupUnplaced(items: UploadItem[]): Map<number, UploadItem[]> {
  const loose = items.filter(
    ({ state, sentTo, isIn, photo }) => state === 'duplicate' && sentTo && isIn === null && photo,
  );
  return Map.groupBy(loose, ({ sentTo }) => sentTo!);
}

/** The new photos of each album, as their files stood beside each other. */
export function groupPlaced(items: UploadItem[]): Map<number, number[]> {
  const placed = new Map<number, number[]>();
  const inOrder = items.toSorted((a, b) => a.key - b.key);
  for (const { state, sentTo, photo } of inOrder) {
    if (state !== 'done' || !sentTo || photo === undefined) continue;
    placed.set(sentTo, [...(placed.get(sentTo) ?? []), photo]);
  }
  return placed;
}
