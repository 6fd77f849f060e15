/**
 * A bounded queue for a scarce resource. The queue serves IP addresses in turn, and the users of one IP address in
 * turn, so no caller can delay the others.
 */
import {
  type Caller,
  createFairQueueOrder,
  type QueueTicket,
  type QueueWaitingBounds,
} from './fair-order.ts';

export interface FairQueue {
  readonly running: number;
  readonly waiting: number;
  /**
   * Waits for a slot and resolves with the function that releases it, to be called once. Rejects with the error of
   * `refuse`. Rejects with the reason of `signal` when that signal aborts, so that abandoned requests free their room.
   */
  acquire(caller: Caller, signal?: AbortSignal): Promise<() => void>;
  with<Result>(caller: Caller, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export interface FairQueueOptions extends QueueWaitingBounds {
  maxRunning: number;
  /** Maximum running jobs of all callers at one IP address. The default is `maxRunning`. */
  maxRunningPerAddress?: number;
  maxRunningPerCaller: number;
  maxWaitMs: number;
  /** Creates the error for a refused caller. `isOwn` means that only other requests of the same caller are ahead. */
  refuse(isOwn: boolean): Error;
}

type Start = () => void;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningPerAddress = maxRunning, maxRunningPerCaller } = options;
  const order = createFairQueueOrder<Start>(options);

  function mayBegin({ own, address }: QueueTicket<unknown>): boolean {
    return own.running < maxRunningPerCaller && address.running < maxRunningPerAddress;
  }

  function begin(ticket: QueueTicket<Start>): () => void {
    order.begin(ticket);
    return () => {
      order.end(ticket);
      serveNext();
    };
  }

  function serveNext(): void {
    while (order.waiting > 0 && order.running < maxRunning) {
      const ticket = order.next(mayBegin);
      if (!ticket) return;
      ticket.job();
    }
  }

  async function acquire(caller: Caller, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const ticket = order.ticket(caller, () => {
      stopWaiting();
      resolve(begin(ticket));
    });
    // If a slot is free and the caller still has to wait, the caller's own limit is the reason.
    if (order.running < maxRunning && mayBegin(ticket)) return begin(ticket);
    if (!order.hasRoom(ticket)) throw options.refuse(order.hasEnough(ticket));
    const giveUp = (error: unknown) => {
      stopWaiting();
      order.remove(ticket);
      reject(error);
    };
    const refuse = () => giveUp(options.refuse(order.isBehindOwn(ticket)));
    const timer = setTimeout(refuse, options.maxWaitMs).unref();
    const onGone = () => giveUp(signal!.reason);
    signal?.addEventListener('abort', onGone);
    const stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onGone);
    };
    order.wait(ticket);
    return promise;
  }

  return {
    get running() {
      return order.running;
    },
    get waiting() {
      return order.waiting;
    },
    acquire,
    async with(caller, work, signal) {
      const release = await acquire(caller, signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
