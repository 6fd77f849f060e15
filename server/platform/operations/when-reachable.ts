/** A start waits for a database and a bucket that are not there yet: after a power cut, everything starts at once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DatabaseUnavailable, DatabaseUnusable } from '../db/dialect.ts';
import { StorageUnusable } from '../errors/storage.ts';

const firstPauseMs = 250;
const maxPauseMs = 5000;

export interface ReachOptions {
  /** 0: the first failure stands. */
  timeoutMs: number;
  log: Logger;
}

/** Opens, again and again while the reason may pass. Throws the last failure when the time is over. */
export async function whenReachable<Value>(
  open: () => Promise<Value>,
  { timeoutMs, log }: ReachOptions,
): Promise<Value> {
  const end = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await open();
    } catch (error) {
      const left = end - performance.now();
      if (!mayPass(error) || left <= 0) throw error;
      log.warn(
        { secondsLeft: Math.ceil(left / 1000) },
        `${(error as Error).message} The start waits for it (START_TIMEOUT).`,
      );
      await pause(Math.min(pauseMs, left));
    }
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return (error instanceof DatabaseUnusable || error instanceof StorageUnusable) && error.mayPass;
}
