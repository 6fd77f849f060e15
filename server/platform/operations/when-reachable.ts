/**
 * Waits at the start for a database or a bucket that is not reachable yet. After a power cut, all machines start at
 * once.
 */
import type { Logger } from 'pino';
import { retryWork } from '../concurrency/retry.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../db/dialect.ts';
import { StorageUnusable } from '../errors/storage.ts';

const firstPauseMs = 250;
const maxPauseMs = 5000;

export interface ReachabilityOptions {
  /** Maximum milliseconds to wait. 0 means that the first failure is final. */
  timeoutMs: number;
  log: Logger;
}

/**
 * Calls `open` repeatedly while the reason for its failure may be temporary. Throws the last failure when the time is
 * over.
 */
export function retryUntilReachable<Value>(
  open: () => Promise<Value>,
  { timeoutMs, log }: ReachabilityOptions,
): Promise<Value> {
  const end = performance.now() + timeoutMs;
  return retryWork(open, (error, failures) => {
    const left = end - performance.now();
    if (!isTransient(error) || left <= 0) return undefined;
    log.warn(
      { secondsLeft: Math.ceil(left / 1000) },
      `${(error as Error).message} Retrying until START_TIMEOUT is over.`,
    );
    return Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs, left);
  });
}

function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return (error instanceof DatabaseUnusable || error instanceof StorageUnusable) && error.mayPass;
}
