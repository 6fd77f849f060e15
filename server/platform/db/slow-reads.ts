/**
 * Bounds for slow reads. A read waits for its caller's turn for at most thirty seconds, so an idle machine answers
 * hundreds of one caller. A read that has waited in vain is refused: with 429 if other requests of its caller were in
 * front, else with 503. The numbers of waiting requests are bounded only to bound memory.
 */
import type { FairQueueOptions } from '../concurrency/fair-queue.ts';
import { errors } from '../errors/catalogue.ts';
import { DatabaseUnavailable } from './dialect.ts';

const maxWaitMs = 30_000;
/** A request has up to five reads, of a few kilobytes each. */
const maxWaiting = 2000;
/** The number of connections that one address may have. */
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
