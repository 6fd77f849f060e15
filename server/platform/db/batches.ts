/** Goes through many rows without holding them all, and past those that fail. */
import type { Logger } from 'pino';
import { inParallel } from '../concurrency/in-parallel.ts';
import { levelOf } from './dialect.ts';

export const batchSize = 200;

/** Asked between batches: a server that stops does not wait for the whole sweep. */
export type Stop = AbortSignal | undefined;

/** Takes page after page to `work`, which tells how many of its rows were done; returns how many that are. */
export async function inBatches<Row>(
  stop: Stop,
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

/** Those that it worked for, so many at a time. What fails is logged and left for the next sweep. */
export async function succeeded<Item>(
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
      log[levelOf(error)]({ err: error, item }, 'a step of the sweep failed');
    }
  }
  await inParallel(items, atOnce, attempt);
  return done;
}
