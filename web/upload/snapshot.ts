/** An upload as it is now: its files, and what they come to. */
import type { BatchFields } from './batch-fields.ts';
import type { Place, Refusal } from './faults.ts';
import type { Kept } from './record.ts';

export type State = 'waiting' | 'sending' | 'done' | 'duplicate' | 'refused';

export interface Item {
  key: number;
  file: File;
  folder: string;
  /** Where it was dropped, if that is another album than that of the batch. */
  album?: number | undefined;
  /** The album that it was sent to. */
  sentTo?: number;
  state: State;
  sent: number;
  tries: number;
  photo?: number | undefined;
  /** Of a duplicate: the album that it is in; null for none. */
  isIn?: Place | null;
  refusal?: Refusal;
}

/** Why nothing is sent although there is something to send. */
export type Pause = 'held' | 'offline' | 'unreachable' | 'rest' | 'signedOut';

export interface Snapshot {
  items: readonly Item[];
  /** The person has said that it may begin. */
  isStarted: boolean;
  pause: Pause | undefined;
  fields: BatchFields;
  kept: Kept | undefined;
  counts: Record<State, number>;
  /** Of what is or was to be sent. */
  bytes: number;
  sent: number;
  secondsLeft: number | undefined;
}

const order: Record<State, number> = { refused: 0, sending: 1, waiting: 2, done: 3, duplicate: 3 };

export function figuresOf(items: Item[]): Pick<Snapshot, 'items' | 'counts' | 'bytes' | 'sent'> {
  const counts: Record<State, number> = { waiting: 0, sending: 0, done: 0, duplicate: 0, refused: 0 };
  let [bytes, sent] = [0, 0];
  for (const { state, file, sent: ofIt } of items) {
    counts[state]++;
    if (state === 'refused' || state === 'duplicate') continue;
    bytes += file.size;
    sent += state === 'done' ? file.size : ofIt;
  }
  return { items: items.toSorted((a, b) => order[a.state] - order[b.state]), counts, bytes, sent };
}

/** The folders of what has not begun. */
export function foldersOf(items: readonly Item[]): string[] {
  const waiting = items.filter(({ state, folder }) => state === 'waiting' && folder !== '');
  return [...new Set(waiting.map(({ folder }) => folder))].sort();
}

/** Duplicates that are in no album, by the album that they were sent to. */
export function looseOf(items: Item[]): Map<number, Item[]> {
  const loose = items.filter(
    ({ state, sentTo, isIn, photo }) => state === 'duplicate' && sentTo && isIn === null && photo,
  );
  return Map.groupBy(loose, ({ sentTo }) => sentTo!);
}

/** The new photos of each album, as their files stood beside each other. */
export function placedOf(items: Item[]): Map<number, number[]> {
  const placed = new Map<number, number[]>();
  const inOrder = items.toSorted((a, b) => a.key - b.key);
  for (const { state, sentTo, photo } of inOrder) {
    if (state !== 'done' || !sentTo || photo === undefined) continue;
    placed.set(sentTo, [...(placed.get(sentTo) ?? []), photo]);
  }
  return placed;
}
