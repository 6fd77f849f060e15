/** What time it is: an argument, so that a test may move it. */

/** Seconds since 1970, UTC. */
export type Clock = () => number;

export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

/** Seconds: no server's clock is so far from another's, as long as both are set by the network. */
export const maxClockSkew = 300;
