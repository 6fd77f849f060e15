/**
 * How many slow reads run and wait. A read waits for its caller's turn, however many are in front of it, for thirty
 * seconds at most: an idle machine answers hundreds of one caller. A read that has waited in vain is refused: with 429
 * where other requests of its caller were in front, else with 503. The bounds on what waits are there for memory alone.
 */
import type { FairQueueOptions } from '../concurrency/fair-queue.ts';
import { errors } from '../errors/catalogue.ts';
import { DatabaseUnavailable } from './dialect.ts';

const maxWaitMs = 30_000;
/** Requests, of up to five reads with a few kilobytes each. */
const maxWaiting = 2000;
/** As many as an address may have connections. */
const maxWaitingPerCaller = 500;
/** Seconds. */
const retryAfter = 2;

/** With so many `places`, one caller has half of them, the only one where there is one. */
export function slowReadBounds(places: number): FairQueueOptions {
  return {
    maxRunning: places,
    maxRunningPerCaller: Math.max(1, Math.floor(places / 2)),
    maxWaiting,
    maxWaitingPerAddress: maxWaitingPerCaller,
    maxWaitingPerCaller,
    maxWaitMs,
    refuse: refuseSlowRead,
  };
}

function refuseSlowRead(isOwn: boolean): Error {
  if (!isOwn) return new DatabaseUnavailable('too many slow reads wait');
  return errors.tooManyRequests({
    message: 'Too many of your searches and lists wait already: ask for fewer at once',
    retryAfter,
  });
}
