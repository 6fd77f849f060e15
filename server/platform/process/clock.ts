/** What time it is: an argument, so that a test may move it. */

/** Seconds since 1970, UTC. */
export type Clock = () => number;

export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

/** Seconds: no server's clock is so far from another's, as long as both are set by the network. */
export const maxClockSkew = 300;

/**
 * Whether what is good for so many seconds, until `end`, is good `now`. One that ends later than any could was made by a
 * clock that was ahead: it would be good for longer than it was meant to be.
 */
export function isWithin(end: number, now: number, seconds: number): boolean {
  return end > now && end <= now + seconds + maxClockSkew;
}
