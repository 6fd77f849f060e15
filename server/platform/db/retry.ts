/** Transactions run again when the database gave them up for another one, and only then. */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, type TransactionBuilder } from 'kysely';
import { DatabaseUnavailable } from './dialect.ts';

const maxTries = 5;
const firstPauseMs = 10;

/**
 * Kysely whose transactions are retried as a whole. What is given to `execute` may run more than once: it changes
 * nothing outside the database.
 */
export class RetryingKysely<Tables> extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const once = builder.execute.bind(builder) as typeof builder.execute;
    builder.execute = (work) => retried(() => once(work));
    return builder;
  }
}

/** Five tries within about a third of a second, at random moments: those who collided shall not meet again. */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || !error.mayRunAgain || tries === maxTries) throw error;
      await pause(firstPauseMs * 2 ** tries * Math.random());
    }
  }
}
