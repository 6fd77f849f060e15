import PQueue from 'p-queue';
import { QueueFullError } from './errors.ts';

export type ImagingQueue = {
  /** Runs `job` when its turn comes. Throws QueueFullError at once when too many wait already. */
  run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** For the metrics. */
  readonly running: number;
  readonly waiting: number;
  /** Takes nothing more and resolves when all that was taken is done. */
  drain(): Promise<void>;
};

/** Decoding is bounded here: as many jobs at once as `concurrency` (cores), and never more than `maxWaiting` in line. */
export function createImagingQueue(options: { concurrency: number; maxWaiting: number }): ImagingQueue {
  const queue = new PQueue({ concurrency: options.concurrency });
  let isDraining = false;
  return {
    async run(job, signal) {
      signal?.throwIfAborted();
      if (isDraining || queue.size >= options.maxWaiting)
        throw new QueueFullError(retryAfter(queue, options));
      return await queue.add(job, { signal });
    },
    get running() {
      return queue.pending;
    },
    get waiting() {
      return queue.size;
    },
    async drain() {
      isDraining = true;
      await queue.onIdle();
    },
  };
}

/** Seconds until there is likely room: a large photo takes about a second. */
function retryAfter(queue: PQueue, options: { concurrency: number }): number {
  return Math.max(1, Math.ceil(queue.size / options.concurrency));
}
