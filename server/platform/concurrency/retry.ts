/** Work that failed for a reason that may pass is tried again. Why it is ours: docs/adr/0030-retries-and-mutexes.md. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds until the next try, after so many failures (from 1); undefined: the error stands. */
export type PauseAfter = (error: unknown, failures: number) => number | undefined;

/** `work` must be one that may run twice. Throws its last error. */
export async function retry<Result>(work: () => Promise<Result>, pauseAfter: PauseAfter): Promise<Result> {
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
