/** A start waits for a database and a bucket that are not there yet: after a power cut, everything starts at once. */
import type { Logger } from 'pino';
import { retry } from '../concurrency/retry.ts';
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
export function whenReachable<Value>(
  open: () => Promise<Value>,
  { timeoutMs, log }: ReachOptions,
): Promise<Value> {
  const end = performance.now() + timeoutMs;
  return retry(open, (error, failures) => {
    const left = end - performance.now();
    if (!mayPass(error) || left <= 0) return undefined;
    log.warn(
      { secondsLeft: Math.ceil(left / 1000) },
      `${(error as Error).message} The start waits for it (START_TIMEOUT).`,
    );
    return Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs, left);
  });
}

function mayPass(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return (error instanceof DatabaseUnusable || error instanceof StorageUnusable) && error.mayPass;
}
