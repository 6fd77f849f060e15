/** A lock with a bounded queue: one holder at a time, in the order of asking. */

export interface Turns {
  /** Resolves with the function that ends the turn. Rejects at once when too many wait already. */
  take(): Promise<() => void>;
  with<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(mostWaiting: number, refuse: () => Error): Turns {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function take(): Promise<() => void> {
    if (waiting >= mostWaiting) throw refuse();
    waiting++;
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    waiting--;
    return resolve;
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
