/** Work on the database that is run again: a transaction that gave way to another, and a command's when trouble passes. */
import type { TransactionBuilder } from 'kysely';
import { retry } from '../concurrency/retry.ts';
import { StorageUnavailable } from '../errors/storage.ts';
import { DatabaseUnavailable } from './dialect.ts';
import { SignallingKysely } from './signals.ts';

const maxTries = 5;
const firstBriefPauseMs = 10;
const firstPauseMs = 500;

/**
 * Kysely whose transactions are retried as a whole. What is given to `execute` may run more than once: it changes
 * nothing outside the database.
 */
export class RetryingKysely<Tables> extends SignallingKysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const once = builder.execute.bind(builder) as typeof builder.execute;
    builder.execute = (work) => retryBriefly(() => once(work));
    return builder;
  }
}

/** Five tries within about a third of a second, at random moments: transactions that collided shall not meet again. */
export function retryBriefly<Result>(work: () => Promise<Result>): Promise<Result> {
  return retry(work, (error, failures) =>
    error instanceof DatabaseUnavailable && error.mayRunAgain && failures < maxTries
      ? firstBriefPauseMs * 2 ** failures * Math.random()
      : undefined,
  );
}

/**
 * For commands that run for hours, which a server that writes at the same time, a database that restarts or a store
 * that is slow does not end: tried again with growing pauses, 15 seconds in all. `work` must be one that may run twice.
 * `isBusy`: whether an error of the work itself passes, too.
 */
export function retryForSeconds<Result>(
  work: () => Promise<Result>,
  isBusy: (error: unknown) => boolean = () => false,
): Promise<Result> {
  return retry(work, (error, failures) =>
    (mayPass(error) || isBusy(error)) && failures < maxTries ? firstPauseMs * 2 ** failures : undefined,
  );
}

function mayPass(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || error instanceof StorageUnavailable;
}
