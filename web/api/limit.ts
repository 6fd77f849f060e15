/** What an answer tells of the limit of calls (X-RateLimit-*). */
export interface RateLimit {
  limit: number;
  left: number;
  /** When there are all again, milliseconds of the clock here. */
  renewed: number;
}

/** `now`: of the clock here. Undefined where the answer tells nothing. */
export function readRateLimit(headers: Headers, now: number): RateLimit | undefined {
  const left = headers.get('X-RateLimit-Remaining');
  const limit = Number(headers.get('X-RateLimit-Limit'));
  const renewed = headers.get('X-RateLimit-Reset');
  if (left === null || renewed === null) return undefined;
  return { limit, left: Number(left), renewed: Number(renewed) * 1000 + measureClockOffset(headers, now) };
}

/** How far the clock here is ahead of the server's. That tells whole seconds: one too many, at most. */
function measureClockOffset(headers: Headers, now: number): number {
  const told = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(told) ? 0 : now - told;
}
