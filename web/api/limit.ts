/** The rate limit that a response reports (X-RateLimit-*). */
export interface RateLimit {
  limit: number;
  left: number;
  /** Time at which the limit is reset, in milliseconds of the browser's clock. */
  renewed: number;
}

/**
 * Reads the rate limit from a response. `now` is the browser's time. Returns undefined without the headers.
 */
export function readRateLimit(headers: Pick<Headers, 'get'>, now: number): RateLimit | undefined {
  const left = headers.get('X-RateLimit-Remaining');
  const limit = Number(headers.get('X-RateLimit-Limit'));
  const renewed = headers.get('X-RateLimit-Reset');
  if (left === null || renewed === null) return undefined;
  return { limit, left: Number(left), renewed: Number(renewed) * 1000 + measureClockOffset(headers, now) };
}

/**
 * Returns how far the browser's clock is ahead of the server's. The Date header has whole seconds, so the
 * error is below one second.
 */
function measureClockOffset(headers: Pick<Headers, 'get'>, now: number): number {
  const told = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(told) ? 0 : now - told;
}
