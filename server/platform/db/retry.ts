/** Retries work on the database: transactions that collided with others, and commands during temporary failures. */
import type { TransactionBuilder } from 'kysely';
import { retryWork } from '../concurrency/retry.ts';
import { StorageUnavailable } from '../errors/storage.ts';
import { DatabaseUnavailable } from './dialect.ts';
import { SignalingKysely } from './signals.ts';

const maxTries = 5;
const firstBriefPauseMs = 10;
const firstPauseMs = 500;

/**
 * Kysely that retries whole transactions. The function passed to `execute` may run more than once, so it must not
 * change anything outside the database.
 */
export class RetryingKysely<Tables> extends SignalingKysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const once = builder.execute.bind(builder) as typeof builder.execute;
    builder.execute = (work) => retryBriefly(() => once(work));
    return builder;
  }
}

/**
 * Retries up to five times within about a third of a second. The pauses are random, so that colliding transactions do
 * not collide again.
 */
export function retryBriefly<Result>(work: () => Promise<Result>): Promise<Result> {
  return retryWork(work, (error, failures) =>
    error instanceof DatabaseUnavailable && error.mayRunAgain && failures < maxTries
      ? firstBriefPauseMs * 2 ** failures * Math.random()
      : undefined,
  );
}

/**
 * Retries work of long-running commands with growing pauses, 15 seconds in total. A concurrent server, a restarting
 * database or a slow store must not end such a command. `work` must be safe to run twice. `isBusy` returns whether an
 * error of the work itself is temporary, too.
 */
export function retryForSeconds<Result>(
  work: () => Promise<Result>,
  isBusy: (error: unknown) => boolean = () => false,
): Promise<Result> {
  return retryWork(work, (error, failures) =>
    (isTransient(error) || isBusy(error)) && failures < maxTries ? firstPauseMs * 2 ** failures : undefined,
  );
}

function isTransient(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || error instanceof StorageUnavailable;
}
