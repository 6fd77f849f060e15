/** The current time as a function argument, so that a test can change it. */

/** Returns the seconds since 1970, UTC. */
export type Clock = () => number;

export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

/** Maximum difference between two servers' clocks in seconds, if both are set by network time. */
export const maxClockSkew = 300;

/**
 * Whether something that lasts `seconds` and ends at `end` is valid at `now`. An end too far in the future was written
 * by a clock running ahead, and is rejected because it would be valid for too long.
 */
export function isWithinValidity(end: number, now: number, seconds: number): boolean {
  return end > now && end <= now + seconds + maxClockSkew;
}
