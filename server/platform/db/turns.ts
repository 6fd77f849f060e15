/** A lock with a bounded queue: one holder at a time, in the order of asking. */

export interface Turns {
  /** Resolves with the function that ends the turn. Rejects when too many wait already, or it waited too long. */
  take(): Promise<() => void>;
  with<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(maxWaiting: number, refuse: () => Error, maxWaitMs = Infinity): Turns {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function take(): Promise<() => void> {
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
    take,
    async with(work) {
      const end = await take();
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
