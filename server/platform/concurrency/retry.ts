/**
 * Retries work that failed for a temporary reason. `docs/adr/0030-retries-and-mutexes.md` explains why no library is
 * used.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns the milliseconds until the next attempt after `failures` failures (from 1). Undefined means that the error is
 * final.
 */
export type GetRetryPause = (error: unknown, failures: number) => number | undefined;

/**
 * Runs `work` until it succeeds or `pauseAfter` gives up; then throws the last error. `work` must be safe to run twice.
 */
export async function retryWork<Result>(
  work: () => Promise<Result>,
  pauseAfter: GetRetryPause,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = pauseAfter(error, failures);
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs);
    }
  }
}
