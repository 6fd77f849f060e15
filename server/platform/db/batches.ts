/** Processes many rows in batches, without holding all of them in memory, and continues after failures. */
import type { Logger } from 'pino';
import { inParallel } from '../concurrency/in-parallel.ts';
import { logLevelFor } from './dialect.ts';

export const rowsPerBatch = 200;

/** Signal that is checked between batches, so that a stopping server does not wait for the whole maintenance run. */
export type StopSignal = AbortSignal | undefined;

/** Passes each page to `work`, which returns how many of its rows succeeded. Returns the total. */
export async function inBatches<Row>(
  stop: StopSignal,
  pages: AsyncIterable<Row[]>,
  work: (rows: Row[]) => Promise<number>,
): Promise<number> {
  let done = 0;
  if (stop?.aborted) return done;
  for await (const rows of pages) {
    done += await work(rows);
    if (stop?.aborted) break;
  }
  return done;
}

/**
 * Runs `work` for each item, at most `atOnce` at a time, and returns the items that succeeded. Failures are logged, and
 * the next maintenance run retries the failed items.
 */
export async function collectSucceeded<Item>(
  { log }: { log: Logger },
  items: Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<Item[]> {
  const done: Item[] = [];
  async function attempt(item: Item): Promise<void> {
    try {
      await work(item);
      done.push(item);
    } catch (error) {
      log[logLevelFor(error)]({ err: error, item }, 'a step of the maintenance run failed');
    }
  }
  await inParallel(items, atOnce, attempt);
  return done;
}
