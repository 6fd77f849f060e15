/**
 * Who decodes when. As many jobs at once as there are cores, and only as many as fit into the memory that pictures may
 * take; callers in turn, so that none of them waits behind all that another has asked for.
 */
import { AbandonedError, ImageError, QueueFullError } from './errors.ts';

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

type Waiting = { caller: number | undefined; bytes: number; passed: number; start: () => void };

export function createImagingQueue(options: ImagingQueueOptions): ImagingQueue {
  const { concurrency, maxWaiting, maxWaitingPerCaller = Infinity, memoryBytes = Infinity } = options;
  /** One core is left to others, where there is more than one pair. */
  const maxRunningPerCaller = Math.max(2, concurrency - 1);
  const lines = new Map<number | undefined, Waiting[]>();
  const runningOf = new Map<number | undefined, number>();
  /** When a caller's job last began, counted: who has waited longest since comes first. */
  const servedAt = new Map<number | undefined, number>();
  let served = 0;
  let running = 0;
  let waiting = 0;
  let held = 0;
  let isDraining = false;
  let idle = Promise.withResolvers<void>();

  function enqueue(one: Waiting): void {
    const line = lines.get(one.caller) ?? [];
    // Who has nothing waiting is refused only when all places are taken four times over.
    const isFull = waiting >= (line.length === 0 && one.caller !== undefined ? 4 : 1) * maxWaiting;
    if (isDraining || isFull || (one.caller !== undefined && line.length >= maxWaitingPerCaller)) {
      throw new QueueFullError(Math.max(1, Math.ceil(line.length / concurrency)));
    }
    line.push(one);
    lines.set(one.caller, line);
    waiting++;
  }

  function leave(one: Waiting): void {
    const line = lines.get(one.caller) ?? [];
    const at = line.indexOf(one);
    if (at === -1) return;
    line.splice(at, 1);
    if (line.length === 0) lines.delete(one.caller);
    waiting--;
  }

  function hasPlace({ caller, bytes }: Waiting): boolean {
    const own = runningOf.get(caller) ?? 0;
    if (caller !== undefined && own >= maxRunningPerCaller) return false;
    if (running < concurrency) return true;
    return own === 0 && bytes <= LIGHT_BYTES && running < 2 * concurrency;
  }

  function next(): Waiting | undefined {
    const heads = [...lines.values()]
      .map(([head]) => head!)
      .filter(hasPlace)
      .sort((one, other) => (servedAt.get(one.caller) ?? 0) - (servedAt.get(other.caller) ?? 0));
    const blocked = heads.find(({ bytes }) => held + bytes > memoryBytes);
    if (blocked && blocked.passed >= MAX_PASSED) return undefined;
    const chosen = heads.find(({ bytes }) => held + bytes <= memoryBytes);
    if (chosen && blocked) blocked.passed++;
    return chosen;
  }

  function startWhatMay(): void {
    for (let one = next(); one; one = next()) {
      leave(one);
      servedAt.set(one.caller, ++served);
      running++;
      held += one.bytes;
      runningOf.set(one.caller, (runningOf.get(one.caller) ?? 0) + 1);
      one.start();
    }
    if (running === 0 && waiting === 0) idle.resolve();
  }

  function end({ caller, bytes }: Waiting): void {
    running--;
    held -= bytes;
    const left = runningOf.get(caller)! - 1;
    if (left > 0) runningOf.set(caller, left);
    else runningOf.delete(caller);
    if (left === 0 && !lines.has(caller)) servedAt.delete(caller);
    startWhatMay();
  }

  async function turn(caller: number | undefined, bytes: number, signal?: AbortSignal): Promise<Waiting> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { caller, bytes, passed: 0, start: resolve };
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
      if (running === 0 && waiting === 0) return;
      idle = Promise.withResolvers<void>();
      await idle.promise;
    },
  };
}
