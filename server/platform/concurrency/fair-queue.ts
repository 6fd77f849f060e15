/**
 * A bounded queue in front of something scarce that takes addresses in turn, and users of one address in turn: neither
 * many jobs of one nor many accounts delay another's.
 */
import { type Caller, createFairOrder, type Ticket, type WaitingBounds } from './fair-order.ts';

export interface FairQueue {
  readonly running: number;
  readonly waiting: number;
  /**
   * Resolves with the function that gives the place back, to be called once. Rejects with what `refuse` makes; with the
   * reason of `gone` where nobody waits for it any more: it would take the room of those who do.
   */
  enter(caller: Caller, gone?: AbortSignal): Promise<() => void>;
  with<Result>(caller: Caller, work: () => Promise<Result>, gone?: AbortSignal): Promise<Result>;
}

export interface FairQueueOptions extends WaitingBounds {
  maxRunning: number;
  /** Of all callers at one address together; as many as there are places unless it is said. */
  maxRunningPerAddress?: number;
  maxRunningPerCaller: number;
  maxWaitMs: number;
  /** `isOwn`: other requests of the same caller are in front, not those of other callers. */
  refuse(isOwn: boolean): Error;
}

type Start = () => void;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningPerAddress = maxRunning, maxRunningPerCaller } = options;
  const order = createFairOrder<Start>(options);

  function mayBegin({ own, address }: Ticket<unknown>): boolean {
    return own.running < maxRunningPerCaller && address.running < maxRunningPerAddress;
  }

  function begin(ticket: Ticket<Start>): () => void {
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

  async function enter(caller: Caller, gone?: AbortSignal): Promise<() => void> {
    gone?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const ticket = order.ticket(caller, () => {
      stopWaiting();
      resolve(begin(ticket));
    });
    // A caller that waits although a place is free waits for one of its own places.
    if (order.running < maxRunning && mayBegin(ticket)) return begin(ticket);
    if (!order.hasRoom(ticket)) throw options.refuse(order.hasEnough(ticket));
    const giveUp = (error: unknown) => {
      stopWaiting();
      order.leave(ticket);
      reject(error);
    };
    const refuse = () => giveUp(options.refuse(order.isBehindOwn(ticket)));
    const timer = setTimeout(refuse, options.maxWaitMs).unref();
    const onGone = () => giveUp(gone!.reason);
    gone?.addEventListener('abort', onGone);
    const stopWaiting = () => {
      clearTimeout(timer);
      gone?.removeEventListener('abort', onGone);
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
    enter,
    async with(caller, work, gone) {
      const leave = await enter(caller, gone);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
