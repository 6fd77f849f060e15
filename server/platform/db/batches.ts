/** Goes through many rows without holding them all, and past those that fail. */
import type { Logger } from 'pino';
import { inParallel } from '../concurrency/in-parallel.ts';
import { levelOf } from './dialect.ts';
import { pages } from './pages.ts';

export const batchSize = 200;

/** Asked between batches: a server that stops does not wait for the whole sweep. */
export type Stop = AbortSignal | undefined;

interface Steps<Cursor> {
  /** The next batch in the cursor's order. */
  find(after: Cursor): Promise<{ cursor: Cursor }[]>;
  /** Returns how many were done. */
  each(batch: Cursor[]): Promise<number>;
}

/** Visits every row once; returns how many were done. */
export async function inBatches<Cursor>(
  stop: Stop,
  first: Cursor,
  { find, each }: Steps<Cursor>,
): Promise<number> {
  let done = 0;
  if (stop?.aborted) return done;
  for await (const rows of pages(first, batchSize, ({ cursor }) => cursor, find)) {
    done += await each(rows.map(({ cursor }) => cursor));
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
