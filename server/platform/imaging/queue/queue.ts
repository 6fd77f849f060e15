/**
 * Who decodes when. As many jobs at once as there are cores, and only as many as fit into the memory that pictures may
 * take; addresses in turn, and users of one address, so that none of them waits behind all that another has asked for.
 */
import { type Caller, createFairOrder, currentCaller, type Ticket } from '../../concurrency/fair-order.ts';
import { ordinaryBytes } from '../bounds.ts';
import { AbandonedError, ImageError, QueueFullError } from '../errors.ts';

export interface ImagingRequest {
  /** Whose it is, unless it is the current caller's. The command line's own has no share. */
  caller?: Caller;
  /** The most that the job may come to hold (bounds.ts). */
  bytes?: number;
  /** Nothing that is not behind waits for it: it begins only when none of those may begin. */
  isBehind?: boolean;
  /** Aborted while the job waits, it leaves the queue; what runs asks the signal itself. */
  signal?: AbortSignal | undefined;
}

export interface ImagingQueue {
  /**
   * Runs `job` as soon as it may start. Throws QueueFullError at once when too many wait already, of all or of the
   * caller's, and when it has waited for a minute; ImageError when it needs more memory than there is for pictures; AbandonedError when its signal is
   * aborted.
   */
  run<T>(job: () => Promise<T>, request?: ImagingRequest): Promise<T>;
  /** For the metrics. */
  readonly running: number;
  readonly waiting: number;
  /** Bytes that the running jobs may come to hold, and may at most. */
  readonly heldBytes: number;
  readonly memoryBytes: number;
  /** Takes nothing more and resolves when all that was taken is done. */
  drain(): Promise<void>;
}

export interface ImagingQueueOptions {
  /** Cores. */
  concurrency: number;
  maxWaiting: number;
  maxWaitingPerAddress?: number;
  maxWaitingPerCaller?: number;
  maxWaitMs?: number;
  memoryBytes?: number;
}

/**
 * How often later ones may pass one that waits for memory, or for a place of its address, for each user who waits at
 * this address; then it is given what becomes free.
 */
const maxPassed = 16;

/** Longer than most clients wait for an answer to what they have sent. */
const usualWaitMs = 60_000;

interface Waiting {
  bytes: number;
  isBehind: boolean;
  /** In the order of asking. */
  number: number;
  passed: number;
  /** Beside the cores' own places. */
  isBeside: boolean;
  start: () => void;
}

type Job = Ticket<Waiting>;

export function createImagingQueue(options: ImagingQueueOptions): ImagingQueue {
  const { concurrency, memoryBytes = Infinity, maxWaitMs = usualWaitMs } = options;
  /** One core is left to others, where there is more than one pair. */
  const maxRunningPerCaller = Math.max(2, concurrency - 1);
  const order = createFairOrder<Waiting>({
    maxWaiting: options.maxWaiting,
    maxWaitingPerAddress: options.maxWaitingPerAddress ?? Infinity,
    maxWaitingPerCaller: options.maxWaitingPerCaller ?? Infinity,
  });
  let asked = 0;
  let beside = 0;
  let held = 0;
  let isDraining = false;
  const idle = Promise.withResolvers<void>();

  function enqueue(one: Job): void {
    if (isDraining || !order.hasRoom(one)) {
      throw fullFor(one, order.hasEnough(one));
    }
    order.wait(one);
  }

  function fullFor({ own }: Job, isOwn: boolean): QueueFullError {
    return new QueueFullError(Math.max(1, Math.ceil(own.waiting / concurrency)), isOwn);
  }

  function hasCore({ own }: Job): boolean {
    const isServers = own.key === '';
    return order.running - beside < concurrency && (isServers || own.running < maxRunningPerCaller);
  }

  /**
   * An ordinary job of a caller who has nothing running need not wait for a core. These places are not the cores': small
   * jobs without end would otherwise keep a heavy one from ever starting.
   */
  function hasPlaceBeside({ own, job: { bytes, isBehind } }: Job): boolean {
    return own.running === 0 && !isBehind && bytes <= ordinaryBytes && beside < concurrency;
  }

  const hasPlace = (one: Job) => hasCore(one) || hasPlaceBeside(one);
  const fits = ({ job: { bytes } }: Job) => held + bytes <= memoryBytes;
  const isDue = ({ job: { passed }, address }: Job) => passed >= maxPassed * address.queues;

  function next(): Job | undefined {
    const due = order.next((one) => hasPlace(one) && isDue(one));
    if (due) return fits(due) ? due : undefined;
    const mayBegin = (one: Job) => hasPlace(one) && fits(one);
    // A small one of somebody who has nothing running does not wait for the heavy ones of many.
    const isSmall = ({ own, job: { bytes } }: Job) => own.running === 0 && bytes <= ordinaryBytes;
    const isAhead = (one: Job) => !one.job.isBehind && mayBegin(one);
    const chosen =
      order.next((one) => isAhead(one) && isSmall(one)) ?? order.next(isAhead) ?? order.next(mayBegin);
    if (!chosen) return undefined;
    for (const one of order.firsts()) {
      if (one.job.number < chosen.job.number && one.job.isBehind === chosen.job.isBehind && hasPlace(one))
        one.job.passed++;
    }
    return chosen;
  }

  function startWhatMay(): void {
    for (let one = next(); one; one = next()) begin(one);
    if (isDraining && order.running === 0 && order.waiting === 0) idle.resolve();
  }

  function begin(one: Job): void {
    const { job } = one;
    job.isBeside = !hasCore(one);
    order.begin(one);
    if (job.isBeside) beside++;
    held += job.bytes;
    job.start();
  }

  function end(one: Job): void {
    order.end(one);
    if (one.job.isBeside) beside--;
    held -= one.job.bytes;
    startWhatMay();
  }

  async function enter({ caller = currentCaller(), bytes = 0, isBehind = false, signal }: ImagingRequest) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const job = { bytes, isBehind, number: asked++, passed: 0, isBeside: false, start: resolve };
    const one = order.ticket(caller, job);
    function giveUp(error: Error): void {
      order.leave(one);
      reject(error);
      startWhatMay();
    }
    const abandon = () => giveUp(new AbandonedError());
    enqueue(one);
    signal?.addEventListener('abort', abandon, { once: true });
    // Asked now: of many that wait in vain, each is the first of its caller's when its time is over.
    const isOwn = order.isBehindOwn(one);
    const timer = setTimeout(() => giveUp(fullFor(one, isOwn)), maxWaitMs).unref();
    startWhatMay();
    try {
      await promise;
      return one;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
    }
  }

  return {
    async run(job, request = {}) {
      const { bytes = 0, signal } = request;
      if (signal?.aborted) throw new AbandonedError();
      if (bytes > memoryBytes) {
        throw new ImageError(
          'too-large',
          `The image is too large: it needs ${Math.ceil(bytes / 1e6)} MB of memory, and this server has ${Math.floor(memoryBytes / 1e6)} MB for pictures`,
        );
      }
      const one = await enter(request);
      try {
        return await job();
      } finally {
        end(one);
      }
    },
    get running() {
      return order.running;
    },
    get waiting() {
      return order.waiting;
    },
    get heldBytes() {
      return held;
    },
    memoryBytes,
    async drain() {
      isDraining = true;
      startWhatMay();
      await idle.promise;
    },
  };
}
