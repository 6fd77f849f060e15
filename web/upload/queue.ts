/**
 * The files of an upload: three at a time, each for itself. It waits while the gallery cannot be reached, and goes on by
 * itself. No bytes are held here: a File is a name for what lies on the disk.
 */
import { account } from '../api/account.ts';
import { session } from '../api/session.ts';
import type { BatchFields } from './batch-fields.ts';
import { closed, type Fault, isWorthRetrying, localRefusal } from './faults.ts';
import type { Picked } from './files.ts';
import type { FolderAlbums } from './folders.ts';
import { identityOf, type Kept, markOf, writeKept } from './record.ts';
import { forgetBegun, type Sending, send } from './send.ts';
import {
  figuresOf,
  type Item,
  looseOf,
  type Pause,
  placedOf,
  type Snapshot,
  type State,
} from './snapshot.ts';
import { createSpeedometer } from './speed.ts';

const atOnce = 3;
const maxTries = 5;
const tellMs = 150;
const keepMs = 1000;
const maxBackoffMs = 30_000;

export type Queue = ReturnType<typeof createQueue>;

/** `onRest`: nothing is left to send, and there are new photos, of albums those given. */
export function createQueue(options: {
  user: number;
  maxBytes: number;
  fields: BatchFields;
  kept: Kept | undefined;
  folderAlbums: FolderAlbums;
  onRest(placed: Map<number, number[]>): void;
  /** Puts photos that are in no album into one; resolves with its name, and with those that are in it now. */
  fill(album: number, photos: number[]): Promise<{ name: string; filled: number[] }>;
}) {
  const { user, maxBytes, folderAlbums, onRest, fill } = options;
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
    const figures = figuresOf(items);
    const { counts, bytes, sent } = figures;
    if (isStarted && !pause && counts.sending > 0) speed.note(sent);
    const secondsLeft = pause ? undefined : speed.secondsFor(bytes - sent);
    return { ...figures, isStarted, pause, fields, kept, secondsLeft };
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
    const those = (states: State[]) =>
      items.filter(({ state }) => states.includes(state)).map((item) => identityOf(item));
    const left = [...new Set([...those(['waiting', 'sending']), ...(kept?.left ?? [])])];
    const done = [...new Set([...those(['done', 'duplicate']), ...(kept?.done ?? [])])];
    const folders = items.filter(({ state, folder }) => folder !== '' && state !== 'done');
    const folderOf = Object.fromEntries(folders.map(({ file, folder }) => [markOf(file), folder]));
    writeKept({ user, fields, left, done, folderOf: { ...kept?.folderOf, ...folderOf } });
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
      for (const [album, loose] of looseOf(items)) void put(loose, album);
      if (added > 0) onRest(placedOf(items));
      // Once: from now on their places are the person's.
      for (const item of items) delete item.sentTo;
      added = 0;
    }
    tell();
  }
  function begin(item: Item): void {
    item.state = 'sending';
    sendings.set(
      item,
      send(item, () => metadataOf(item), {
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
  async function metadataOf(item: Item): Promise<Record<string, string>> {
    const { title, tags, isPublic, album: ofAll, asAlbums } = fields;
    const { file, folder } = item;
    const base = item.album ?? ofAll;
    item.sentTo = asAlbums ? await folderAlbums.albumOf(folder, base, isPublic) : base;
    return {
      title: title.trim() || file.name.replace(/\.\w+$/, ''),
      is_public: isPublic ? '1' : '0',
      ...(tags.trim() && { tags }),
      ...(item.sentTo && { album_id: String(item.sentTo) }),
    };
  }
  function end(item: Item, as: Partial<Item>): void {
    Object.assign(item, as);
    sendings.delete(item);
    faultsInARow = 0;
    go();
  }
  /** What was dropped on an album is in it afterwards, unless it is in another one. */
  async function put(loose: Item[], album: number): Promise<void> {
    try {
      const { name, filled } = await fill(
        album,
        loose.map(({ photo }) => photo!),
      );
      for (const item of loose) if (filled.includes(item.photo!)) item.isIn = { id: album, name };
    } catch {
      // The album is gone: they are in the gallery, as their lines say.
    }
    tell();
  }
  function meet(item: Item, fault: Fault): void {
    if (fault.kind === 'duplicate') {
      end(item, { state: 'duplicate', photo: fault.photo, isIn: fault.album });
    } else if (fault.kind === 'refused' || (fault.kind === 'again' && ++item.tries >= maxTries)) {
      end(item, { state: 'refused', refusal: fault.refusal, sent: 0 });
    } else if (fault.kind === 'signedOut') {
      rest('signedOut');
      void session.renew().then((isRenewed) => isRenewed && goOn());
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
    if (account.isOver()) return;
    if (isStarted && snapshot.counts.waiting + snapshot.counts.sending > 0) event.preventDefault();
  });
  void forgetBegun(false);

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => snapshot,
    /** `here`: the album that one stands in, 0 for none. */
    add(picked: Picked[], here: number): void {
      const isIdle = !items.some(({ state }) => state === 'waiting' || state === 'sending');
      if (isIdle) {
        items = items.filter(({ state }) => state === 'refused');
        isStarted = false;
        fields = { ...fields, album: here };
      }
      const known = new Set(items.map((item) => identityOf(item)));
      const done = new Set(kept?.done);
      let isGoingOn = false;
      const album = here === 0 || here === fields.album ? {} : { album: here };
      for (const { file, isClosed, ...found } of picked) {
        const folder = found.folder || (kept?.folderOf?.[markOf(file)] ?? '');
        const identity = identityOf({ file, folder });
        if (known.has(identity) || done.has(identity)) continue;
        known.add(identity);
        isGoingOn ||= kept?.left.includes(identity) ?? false;
        const refusal = isClosed ? closed : localRefusal(file, maxBytes);
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
      go();
      tell();
    },
    start(): void {
      isStarted = true;
      go();
    },
    setFields(changed: Partial<BatchFields>): void {
      fields = { ...fields, ...changed };
      // What is chosen for all is for those that were dropped elsewhere, too.
      if (changed.album !== undefined) for (const item of items) delete item.album;
      keepSoon();
      tell();
    },
    hold: () => rest('held'),
    goOn,
    /** All that were refused and may be taken another time. */
    retry(): void {
      folderAlbums.forget();
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
