/**
 * A lock with a bounded queue: one holder at a time, first come, first served. `docs/adr/0030-retries-and-mutexes.md`
 * explains why async-mutex is not used.
 */

export type Mutex = ReturnType<typeof createMutex>;

export function createMutex(maxWaiting: number, refuse: () => Error, maxWaitMs = Infinity) {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  /** Resolves with the function that releases the lock. Rejects when the queue is full or the wait was too long. */
  async function acquire(): Promise<() => void> {
    if (waiting >= maxWaiting) throw refuse();
    waiting++;
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    const asked = performance.now();
    await before;
    waiting--;
    if (performance.now() - asked <= maxWaitMs) return resolve;
    resolve();
    throw refuse();
  }

  return {
    /** Number of callers that wait for the lock. */
    get waiting() {
      return waiting;
    },
    acquire,
    async with<Result>(work: () => Promise<Result>): Promise<Result> {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
