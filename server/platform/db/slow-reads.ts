/**
 * Limits for slow reads. A read waits at most 30 seconds for its turn, so an idle machine can serve hundreds of reads
 * of one caller. After that a read is refused with 429 if requests of the same caller were ahead, else with 503. The
 * number of waiting requests is limited only to save memory.
 */
import type { FairQueueOptions } from '../concurrency/fair-queue.ts';
import { errors } from '../errors/catalogue.ts';
import { DatabaseUnavailable } from './dialect.ts';

const maxWaitMs = 30_000;
/** Maximum waiting requests. A request has up to five reads, with a few kilobytes each. */
const maxWaiting = 2000;
/** Maximum waiting requests of one caller: five for each of two hundred visitors of a site with one API key. */
const maxWaitingPerCaller = 1000;
/** Seconds until a refused client should retry. */
const retryAfter = 2;

/** Returns the queue limits for `places` concurrent slow reads. One caller may run half of the reads, at least one. */
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
  if (!isOwn) return new DatabaseUnavailable('too many slow reads are waiting');
  return errors.tooManyRequests({
    message: 'Too many of your searches and lists are waiting. Send fewer requests at the same time.',
    retryAfter,
  });
}
