/** For commands that run for hours: what passes by itself does not end them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors/catalogue.ts';
import { DatabaseUnavailable } from './dialect.ts';

const tries = 5;
const firstPauseMs = 500;

/**
 * A server that writes at the same time, a database that restarts, a store that is slow: tried again with growing
 * pauses, 15 seconds in all. `work` must be one that may run twice.
 */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || attempt === tries) throw error;
      await sleep(firstPauseMs * 2 ** attempt);
    }
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error instanceof ApiError && error.status === 503);
}
