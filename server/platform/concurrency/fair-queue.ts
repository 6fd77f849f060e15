/** A bounded queue in front of something scarce that takes its callers in turn: many jobs of one delay no other's. */

export interface FairQueue {
  /** Resolves with the function that gives the place back, to be called once. Rejects with what `refuse` makes. */
  enter(caller: string): Promise<() => void>;
  with<Result>(caller: string, work: () => Promise<Result>): Promise<Result>;
}

export interface FairQueueOptions {
  maxRunning: number;
  maxRunningPerCaller: number;
  maxWaiting: number;
  maxWaitingPerCaller: number;
  maxWaitMs: number;
  refuse(): Error;
}

interface Waiter {
  begin(): void;
}

interface Caller {
  running: number;
  waiting: Set<Waiter>;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  // In the order of their turns: who was served goes to the end.
  const callers = new Map<string, Caller>();
  let running = 0;
  let waiting = 0;

  function begin(name: string, caller: Caller): () => void {
    running++;
    caller.running++;
    callers.delete(name);
    callers.set(name, caller);
    return () => {
      running--;
      caller.running--;
      forget(name, caller);
      serveNext();
    };
  }

  function serveNext(): void {
    if (waiting === 0 || running >= options.maxRunning) return;
    for (const caller of callers.values()) {
      const [first] = caller.waiting;
      if (!first || caller.running >= options.maxRunningPerCaller) continue;
      first.begin();
      return;
    }
  }

  function forget(name: string, { running, waiting }: Caller): void {
    if (running === 0 && waiting.size === 0) callers.delete(name);
  }

  function wait(name: string, caller: Caller): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const stopWaiting = () => {
      clearTimeout(timer);
      caller.waiting.delete(waiter);
      waiting--;
    };
    const waiter: Waiter = {
      begin() {
        stopWaiting();
        resolve(begin(name, caller));
      },
    };
    const timer = setTimeout(() => {
      stopWaiting();
      forget(name, caller);
      reject(options.refuse());
    }, options.maxWaitMs).unref();
    caller.waiting.add(waiter);
    waiting++;
    return promise;
  }

  async function enter(name: string): Promise<() => void> {
    const caller = callers.get(name) ?? { running: 0, waiting: new Set() };
    const isFree = running < options.maxRunning && caller.running < options.maxRunningPerCaller;
    // Whoever waits although a place is free waits for a place of its own.
    if (isFree) return begin(name, caller);
    if (waiting >= options.maxWaiting || caller.waiting.size >= options.maxWaitingPerCaller)
      throw options.refuse();
    callers.set(name, caller);
    return wait(name, caller);
  }

  return {
    enter,
    async with(name, work) {
      const leave = await enter(name);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
