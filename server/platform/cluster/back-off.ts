/** How long to wait before something that keeps failing is tried again. */

const firstMs = 100;
const maxMs = 10_000;
/** Who failed so long ago begins anew. */
const forgottenAfterMs = 60_000;

/** Returns the milliseconds to wait after a failure at `now`, a time in milliseconds. */
export function createBackOff(): (now: number) => number {
  let failures = 0;
  let last = -Infinity;
  return (now) => {
    failures = now - last > forgottenAfterMs ? 0 : failures + 1;
    last = now;
    return Math.min(maxMs, firstMs * 2 ** failures);
  };
}
