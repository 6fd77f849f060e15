/**
 * A bounded queue in front of something scarce that takes addresses in turn, and users of one address in turn: neither
 * many jobs of one nor many accounts delay another's.
 */
import { type Caller, createFairOrder, type Ticket, type WaitingBounds } from './fair-order.ts';

export interface FairQueue {
  readonly running: number;
  readonly waiting: number;
  /** Resolves with the function that gives the place back, to be called once. Rejects with what `refuse` makes. */
  enter(caller: Caller): Promise<() => void>;
  with<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result>;
}

export interface FairQueueOptions extends WaitingBounds {
  maxRunning: number;
  /** Of all callers at one address together; as many as there are places unless it is said. */
  maxRunningPerAddress?: number;
  maxRunningPerCaller: number;
  maxWaitMs: number;
  refuse(): Error;
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

  async function enter(caller: Caller): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const ticket = order.ticket(caller, () => {
      clearTimeout(timer);
      resolve(begin(ticket));
    });
    // A caller that waits although a place is free waits for one of its own places.
    if (order.running < maxRunning && mayBegin(ticket)) return begin(ticket);
    if (!order.hasRoom(ticket)) throw options.refuse();
    const timer = setTimeout(() => {
      order.leave(ticket);
      reject(options.refuse());
    }, options.maxWaitMs).unref();
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
    async with(caller, work) {
      const leave = await enter(caller);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
