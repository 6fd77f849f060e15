/**
 * Who decodes when. As many jobs at once as there are cores, and only as many as fit into the memory that pictures may
 * take; callers in turn, so that none of them waits behind all that another has asked for.
 */
import { AbandonedError, ImageError, QueueFullError } from '../errors.ts';

export type ImagingRequest = {
  /** Whose it is; undefined: the command line's own, which has no share. */
  caller?: number | undefined;
  /** What it holds at its worst moment (weights.ts). */
  bytes?: number;
  /** Aborted while the job waits, it leaves the queue; what runs asks the signal itself. */
  signal?: AbortSignal | undefined;
};

export type ImagingQueue = {
  /**
   * Runs `job` when its turn comes. Throws QueueFullError at once when too many wait already, of all or of the caller's;
   * ImageError when it needs more memory than there is for pictures; AbandonedError when its signal is aborted.
   */
  run<T>(job: () => Promise<T>, request?: ImagingRequest): Promise<T>;
  /** For the metrics. */
  readonly running: number;
  readonly waiting: number;
  /** Bytes that the running jobs may come to hold. */
  readonly heldBytes: number;
  /** Takes nothing more and resolves when all that was taken is done. */
  drain(): Promise<void>;
};

export type ImagingQueueOptions = {
  /** Cores. */
  concurrency: number;
  maxWaiting: number;
  maxWaitingPerCaller?: number;
  memoryBytes?: number;
};

/** A picture of a camera, uploaded. Such a job of a caller who has nothing running need not wait for a core. */
const LIGHT_BYTES = 64_000_000;

/** How often others may pass one that waits for memory; then it is given what becomes free. */
const MAX_PASSED = 16;

type Waiting = {
  caller: Caller;
  bytes: number;
  passed: number;
  /** Beside the cores' own places. */
  isBeside: boolean;
  start: () => void;
};

type Caller = {
  id: number | undefined;
  line: Waiting[];
  running: number;
  /** Counted: when its line began, or a job of it last began or ended. Who waits longest since then comes first. */
  since: number;
};

export function createImagingQueue(options: ImagingQueueOptions): ImagingQueue {
  const { concurrency, maxWaiting, maxWaitingPerCaller = Infinity, memoryBytes = Infinity } = options;
  /** One core is left to others, where there is more than one pair. */
  const maxRunningPerCaller = Math.max(2, concurrency - 1);
  /** Who has something waiting or running. */
  const callers = new Map<number | undefined, Caller>();
  let now = 0;
  let running = 0;
  let beside = 0;
  let waiting = 0;
  let held = 0;
  let isDraining = false;
  const idle = Promise.withResolvers<void>();

  function enqueue(one: Waiting): void {
    const { id, line } = one.caller;
    // Who has nothing waiting is refused only when all places are taken four times over.
    const isFull = waiting >= (line.length === 0 && id !== undefined ? 4 : 1) * maxWaiting;
    if (isDraining || isFull || (id !== undefined && line.length >= maxWaitingPerCaller)) {
      throw new QueueFullError(Math.max(1, Math.ceil(line.length / concurrency)));
    }
    callers.set(id, one.caller);
    if (line.length === 0) one.caller.since = ++now;
    line.push(one);
    waiting++;
  }

  function leave(one: Waiting): void {
    const { line } = one.caller;
    const at = line.indexOf(one);
    if (at === -1) return;
    line.splice(at, 1);
    waiting--;
    forget(one.caller);
  }

  function forget({ id, line, running }: Caller): void {
    if (line.length === 0 && running === 0) callers.delete(id);
  }

  function hasCore({ caller: { id, running: own } }: Waiting): boolean {
    return running - beside < concurrency && (id === undefined || own < maxRunningPerCaller);
  }

  /** These places are not the cores': small jobs without end would otherwise keep a heavy one from ever starting. */
  function hasPlaceBeside({ caller, bytes }: Waiting): boolean {
    return caller.running === 0 && bytes <= LIGHT_BYTES && beside < concurrency;
  }

  function next(): Waiting | undefined {
    const heads = [...callers.values()]
      .flatMap(({ line }) => line.slice(0, 1))
      .filter((head) => hasCore(head) || hasPlaceBeside(head))
      .sort((one, other) => one.caller.since - other.caller.since);
    const blocked = heads.find(({ bytes }) => held + bytes > memoryBytes);
    if (blocked && blocked.passed >= MAX_PASSED) return undefined;
    const chosen = heads.find(({ bytes }) => held + bytes <= memoryBytes);
    if (chosen && blocked) blocked.passed++;
    return chosen;
  }

  function startWhatMay(): void {
    for (let one = next(); one; one = next()) begin(one);
    if (isDraining && running === 0 && waiting === 0) idle.resolve();
  }

  function begin(one: Waiting): void {
    const { caller } = one;
    one.isBeside = !hasCore(one);
    caller.since = ++now;
    caller.running++;
    running++;
    if (one.isBeside) beside++;
    held += one.bytes;
    leave(one);
    one.start();
  }

  function end({ caller, bytes, isBeside }: Waiting): void {
    caller.since = ++now;
    caller.running--;
    running--;
    if (isBeside) beside--;
    held -= bytes;
    forget(caller);
    startWhatMay();
  }

  async function turn(id: number | undefined, bytes: number, signal?: AbortSignal): Promise<Waiting> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const caller = callers.get(id) ?? { id, line: [], running: 0, since: 0 };
    const one: Waiting = { caller, bytes, passed: 0, isBeside: false, start: resolve };
    function abandon(): void {
      leave(one);
      reject(new AbandonedError());
      startWhatMay();
    }
    enqueue(one);
    signal?.addEventListener('abort', abandon, { once: true });
    startWhatMay();
    try {
      await promise;
      return one;
    } finally {
      signal?.removeEventListener('abort', abandon);
    }
  }

  return {
    async run(job, { caller, bytes = 0, signal } = {}) {
      if (signal?.aborted) throw new AbandonedError();
      if (bytes > memoryBytes) {
        throw new ImageError(
          'too-large',
          'The image is too large: it needs more memory than this server has for one',
        );
      }
      const one = await turn(caller, bytes, signal);
      try {
        return await job();
      } finally {
        end(one);
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    get heldBytes() {
      return held;
    },
    async drain() {
      isDraining = true;
      startWhatMay();
      await idle.promise;
    },
  };
}
