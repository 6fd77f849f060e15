/** How many slow reads run and wait, so that those of one caller do not delay another's. */
import type { FairQueueOptions } from '../concurrency/fair-queue.ts';

const maxWaiting = 1000;
const maxWaitingPerAddress = 250;
/** A page of the web asks for several things at once. */
const maxWaitingPerCaller = 50;
const maxWaitMs = 10_000;

/** With so many `places`, one caller has half of them, the only one where there is one. */
export function slowReadBounds(places: number): Omit<FairQueueOptions, 'refuse'> {
  const maxRunningPerCaller = Math.max(1, Math.floor(places / 2));
  return {
    maxRunning: places,
    maxRunningPerCaller,
    maxWaiting,
    maxWaitingPerAddress,
    maxWaitingPerCaller,
    maxWaitMs,
  };
}
