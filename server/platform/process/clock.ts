/** What time it is: an argument, so that a test may move it. */

/** Seconds since 1970, UTC. */
export type Clock = () => number;

export const systemClock: Clock = () => Math.floor(Date.now() / 1000);
