/**
 * The files of an upload: three at a time, each for itself. It waits while the gallery cannot be reached, and goes on by
 * itself. No bytes are held here: a File is a name for what lies on the disk.
 */
import { type Fault, isWorthRetrying, localRefusal, type Refusal } from './faults.ts';
import { type Kept, markOf, writeKept } from './record.ts';
import { forgetBegun, type Sending, send } from './send.ts';
import { createSpeedometer } from './speed.ts';

export interface BatchFields {
  /** '': each photo has the name of its file. */
  title: string;
  tags: string;
  isPublic: boolean;
  /** 0: none. */
  album: number;
}

export type State = 'waiting' | 'sending' | 'done' | 'duplicate' | 'refused';

export interface Item {
  key: number;
  file: File;
  state: State;
  sent: number;
  tries: number;
  photo?: number | undefined;
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

const atOnce = 3;
const maxTries = 5;
const tellMs = 150;
const keepMs = 1000;
const maxBackoffMs = 30_000;
const order: Record<State, number> = { refused: 0, sending: 1, waiting: 2, done: 3, duplicate: 3 };

export type Queue = ReturnType<typeof createQueue>;

/** `onRest`: nothing is left to send, and there are new photos. */
export function createQueue(options: {
  user: number;
  maxBytes: number;
  fields: BatchFields;
  kept: Kept | undefined;
  onRest(): void;
}) {
  const { user, maxBytes, onRest } = options;
  let { fields, kept } = options;
  let items: Item[] = [];
  let isStarted = false;
  let pause: Pause | undefined = navigator.onLine ? undefined : 'offline';
  let faultsInARow = 0;
  let added = 0;
  let nextKey = 1;
  let [timer, tellTimer, keepTimer] = [0, 0, 0];
  const sendings = new Map<Item, Sending>();
  const speed = createSpeedometer();
  const listeners = new Set<() => void>();
  let snapshot = look();

  function look(): Snapshot {
    const counts: Record<State, number> = { waiting: 0, sending: 0, done: 0, duplicate: 0, refused: 0 };
    let [bytes, sent] = [0, 0];
    for (const { state, file, sent: ofIt } of items) {
      counts[state]++;
      if (state === 'refused' || state === 'duplicate') continue;
      bytes += file.size;
      sent += state === 'done' ? file.size : ofIt;
    }
    if (isStarted && !pause && counts.sending > 0) speed.note(sent);
    const sorted = items.toSorted((a, b) => order[a.state] - order[b.state]);
    const secondsLeft = pause ? undefined : speed.secondsFor(bytes - sent);
    return { items: sorted, isStarted, pause, fields, kept, counts, bytes, sent, secondsLeft };
  }
  function tell(): void {
    clearTimeout(tellTimer);
    tellTimer = 0;
    snapshot = look();
    for (const listener of listeners) listener();
  }
  /** Progress comes more often than anybody can read. */
  function tellSoon(): void {
    tellTimer ||= window.setTimeout(tell, tellMs);
  }
  function keepSoon(): void {
    keepTimer ||= window.setTimeout(keepNow, keepMs);
  }
  function keepNow(): void {
    clearTimeout(keepTimer);
    keepTimer = 0;
    if (!isStarted) return;
    const marks = (states: State[]) =>
      items.filter(({ state }) => states.includes(state)).map(({ file }) => markOf(file));
    const left = [...new Set([...marks(['waiting', 'sending']), ...(kept?.left ?? [])])];
    const done = [...new Set([...marks(['done', 'duplicate']), ...(kept?.done ?? [])])];
    writeKept({ user, fields, left, done });
  }

  /** Begins what may begin. */
  function go(): void {
    if (!isStarted || pause) return;
    const slots = faultsInARow > 0 ? 1 : atOnce;
    for (const item of items) {
      if (sendings.size >= slots) break;
      if (item.state === 'waiting') begin(item);
    }
    if (sendings.size > 0) {
      keepSoon();
    } else {
      keepNow();
      if (added > 0) onRest();
      added = 0;
    }
    tell();
  }
  function begin(item: Item): void {
    item.state = 'sending';
    sendings.set(
      item,
      send(item.file, () => metadataOf(item.file, fields), {
        onProgress(sent) {
          item.sent = sent;
          tellSoon();
          if (sent === 0 || faultsInARow === 0) return;
          faultsInARow = 0;
          go();
        },
        onDone(photo) {
          added++;
          end(item, { state: 'done', photo, sent: item.file.size });
        },
        onFault: (fault) => meet(item, fault),
      }),
    );
  }
  function end(item: Item, as: Partial<Item>): void {
    Object.assign(item, as);
    sendings.delete(item);
    faultsInARow = 0;
    go();
  }
  function meet(item: Item, fault: Fault): void {
    if (fault.kind === 'duplicate') {
      end(item, { state: 'duplicate', photo: fault.photo });
    } else if (fault.kind === 'refused' || (fault.kind === 'again' && ++item.tries >= maxTries)) {
      end(item, { state: 'refused', refusal: fault.refusal, sent: 0 });
    } else if (fault.kind === 'signedOut') {
      rest('signedOut');
    } else if (fault.kind === 'rest') {
      rest('rest', fault.until - Date.now());
    } else {
      faultsInARow++;
      rest('unreachable', Math.min(maxBackoffMs, 500 * 2 ** faultsInARow));
    }
  }
  /** Stops what is on its way; it goes on where it was. Without `ms`: until it is told to go on. */
  function rest(why: Pause, ms?: number): void {
    clearTimeout(timer);
    pause = why;
    speed.reset();
    for (const [item, sending] of sendings) {
      sending.stop(false);
      item.state = 'waiting';
    }
    sendings.clear();
    if (ms !== undefined) timer = window.setTimeout(goOn, Math.max(0, ms));
    tell();
  }
  function goOn(): void {
    clearTimeout(timer);
    pause = navigator.onLine ? undefined : 'offline';
    go();
    tell();
  }

  window.addEventListener('offline', () => {
    if (pause !== 'held') rest('offline');
  });
  window.addEventListener('online', () => {
    if (pause === 'offline' || pause === 'unreachable') goOn();
  });
  window.addEventListener('pagehide', keepNow);
  window.addEventListener('beforeunload', (event) => {
    if (isStarted && snapshot.counts.waiting + snapshot.counts.sending > 0) event.preventDefault();
  });
  void forgetBegun(false);

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => snapshot,
    add(files: File[]): void {
      const isIdle = !items.some(({ state }) => state === 'waiting' || state === 'sending');
      if (isIdle) {
        items = items.filter(({ state }) => state === 'refused');
        isStarted = false;
      }
      const here = new Set(items.map(({ file }) => markOf(file)));
      const done = new Set(kept?.done);
      let isGoingOn = false;
      for (const file of files) {
        const mark = markOf(file);
        if (here.has(mark) || done.has(mark)) continue;
        here.add(mark);
        isGoingOn ||= kept?.left.includes(mark) ?? false;
        const refusal = localRefusal(file, maxBytes);
        const state = refusal ? 'refused' : 'waiting';
        items.push({ key: nextKey++, file, state, sent: 0, tries: 0, ...(refusal && { refusal }) });
      }
      if (kept && isGoingOn) {
        kept = { ...kept, left: kept.left.filter((mark) => !here.has(mark)) };
        fields = kept.fields;
        if (kept.left.length === 0) kept = undefined;
        isStarted = true;
      }
      go();
      tell();
    },
    start(): void {
      isStarted = true;
      go();
    },
    setFields(changed: Partial<BatchFields>): void {
      fields = { ...fields, ...changed };
      keepSoon();
      tell();
    },
    hold: () => rest('held'),
    goOn,
    /** All that were refused and may be taken another time. */
    retry(): void {
      for (const item of items) {
        if (item.state !== 'refused' || !isWorthRetrying(item.refusal!)) continue;
        Object.assign(item, { state: 'waiting', tries: 0 });
      }
      isStarted = true;
      go();
      tell();
    },
    remove(item: Item): void {
      sendings.get(item)?.stop(true);
      sendings.delete(item);
      items = items.filter((other) => other !== item);
      go();
      keepSoon();
      tell();
    },
    /** What was left by a reload is given up. */
    forget(): void {
      kept = undefined;
      writeKept(undefined);
      void forgetBegun(true);
      tell();
    },
    /** Everything that is over leaves the list. */
    clear(): void {
      items = items.filter(({ state }) => state === 'waiting' || state === 'sending');
      tell();
    },
  };
}

function metadataOf(file: File, { title, tags, isPublic, album }: BatchFields): Record<string, string> {
  return {
    title: title.trim() || file.name.replace(/\.\w+$/, ''),
    is_public: isPublic ? '1' : '0',
    ...(tags.trim() && { tags }),
    ...(album && { album_id: String(album) }),
  };
}
