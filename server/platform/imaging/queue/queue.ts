/**
 * Queue of imaging jobs, which runs at most one job per core, and only as many as fit into the memory for pictures.
 * IP addresses take turns, and so do users of one IP address, so that no caller waits behind all jobs of another.
 */
import {
  type Caller,
  createFairQueueOrder,
  currentCaller,
  type QueueTicket,
} from '../../concurrency/fair-order.ts';
import { ordinaryJobBytes } from '../bounds.ts';
import { AbandonedJobError, ImageError, QueueFullError } from '../errors.ts';

export interface ImagingQueueRequest {
  /** Caller of the job. The default is the current caller. Jobs of the command line belong to no caller's share. */
  caller?: Caller;
  /** Maximum bytes of memory that the job may take. See `bounds.ts`. */
  bytes?: number;
  /** Whether the job has low priority and begins only when no job of normal priority can begin. */
  isBehind?: boolean;
  /** Signal that removes a waiting job from the queue. A running job must check the signal itself. */
  signal?: AbortSignal | undefined;
}

export interface ImagingQueue {
  /**
   * Runs `job` as soon as possible. Throws QueueFullError if too many jobs wait, in total or of this caller, or after a
   * minute of waiting. Throws ImageError if the job needs more memory than the server has for pictures, and
   * AbandonedJobError if its signal is aborted.
   */
  run<T>(job: () => Promise<T>, request?: ImagingQueueRequest): Promise<T>;
  /** Numbers of running and waiting imaging jobs, for metrics. */
  readonly running: number;
  readonly waiting: number;
  /** Bytes that the running jobs may take, and the maximum for all jobs. */
  readonly heldBytes: number;
  readonly memoryBytes: number;
  /** Refuses new jobs, and resolves when all accepted jobs are done. */
  drain(): Promise<void>;
}

export interface ImagingQueueOptions {
  /** Maximum concurrent jobs, equal to the number of CPU cores. */
  concurrency: number;
  maxWaiting: number;
  maxWaitingPerAddress?: number;
  maxWaitingPerCaller?: number;
  maxWaitMs?: number;
  memoryBytes?: number;
}

/**
 * Maximum times that later jobs may pass a job that waits for memory or for the turn of its IP address. The number is
 * per waiting user of the IP address. After that the waiting job gets the next free resources.
 */
const maxPassed = 16;

/** Milliseconds a job waits at most. Most clients give up earlier. */
const defaultWaitMs = 60_000;

interface WaitingJob {
  bytes: number;
  isBehind: boolean;
  /** Sequence number of the job, in the order of arrival. */
  number: number;
  passed: number;
  /** Whether the job runs in an extra slot beside those of the cores. */
  isBeside: boolean;
  start: () => void;
}

type Job = QueueTicket<WaitingJob>;

export function createImagingQueue(options: ImagingQueueOptions): ImagingQueue {
  const { concurrency, memoryBytes = Infinity, maxWaitMs = defaultWaitMs } = options;
  /** Maximum running jobs of one caller. One core is left to other callers if the machine has more than two cores. */
  const maxRunningPerCaller = Math.max(2, concurrency - 1);
  const order = createFairQueueOrder<WaitingJob>({
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
      throw createFullError(one, order.hasEnough(one));
    }
    order.wait(one);
  }

  function createFullError({ own }: Job, isOwn: boolean): QueueFullError {
    return new QueueFullError(Math.max(1, Math.ceil(own.waiting / concurrency)), isOwn);
  }

  function hasCore({ own }: Job): boolean {
    const isServers = own.key === '';
    return order.running - beside < concurrency && (isServers || own.running < maxRunningPerCaller);
  }

  /**
   * Whether an ordinary job of a caller with no running job may use an extra slot. Extra slots are separate from the
   * cores' slots, so that an endless stream of small jobs cannot block a heavy one.
   */
  function hasPlaceBeside({ own, job: { bytes, isBehind } }: Job): boolean {
    return own.running === 0 && !isBehind && bytes <= ordinaryJobBytes && beside < concurrency;
  }

  const hasPlace = (one: Job) => hasCore(one) || hasPlaceBeside(one);
  const fits = ({ job: { bytes } }: Job) => held + bytes <= memoryBytes;
  const isDue = ({ job: { passed }, address }: Job) => passed >= maxPassed * address.queues;

  function next(): Job | undefined {
    const due = order.next((one) => hasPlace(one) && isDue(one));
    if (due) return fits(due) ? due : undefined;
    const mayBegin = (one: Job) => hasPlace(one) && fits(one);
    // A small job of a caller with no running job need not wait for many callers' heavy jobs.
    const isSmall = ({ own, job: { bytes } }: Job) => own.running === 0 && bytes <= ordinaryJobBytes;
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

  function startPossibleJobs(): void {
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
    startPossibleJobs();
  }

  async function waitForStart({
    caller = currentCaller(),
    bytes = 0,
    isBehind = false,
    signal,
  }: ImagingQueueRequest) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const job = { bytes, isBehind, number: asked++, passed: 0, isBeside: false, start: resolve };
    const one = order.ticket(caller, job);
    function giveUp(error: Error): void {
      order.remove(one);
      reject(error);
      startPossibleJobs();
    }
    const abandon = () => giveUp(new AbandonedJobError());
    enqueue(one);
    signal?.addEventListener('abort', abandon, { once: true });
    // `isOwn` is computed when the job starts to wait. At the timeout, each of many waiting jobs would be the first of
    // its caller.
    const isOwn = order.isBehindOwn(one);
    const timer = setTimeout(() => giveUp(createFullError(one, isOwn)), maxWaitMs).unref();
    startPossibleJobs();
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
      if (signal?.aborted) throw new AbandonedJobError();
      if (bytes > memoryBytes) {
        throw new ImageError(
          'too-large',
          `The image is too large: it needs ${Math.ceil(bytes / 1e6)} MB of memory, but this server has ` +
            `${Math.floor(memoryBytes / 1e6)} MB for pictures (IMAGING_MEMORY_MB)`,
        );
      }
      const one = await waitForStart(request);
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
      startPossibleJobs();
      await idle.promise;
    },
  };
}
