/** Rate limiters of tries: so many a minute for a key, then 429 until the minute is over. */

import { errors } from '../errors/catalogue.ts';
import type { Shared } from './shared.ts';

export interface Throttle {
  /** Takes one try. Throws tooManyRequests when none is left. */
  consume(key: string): Promise<void>;
  /** Gives one back. */
  refund(key: string): Promise<void>;
  /** Fills the rate limiter again. */
  reset(key: string): Promise<void>;
}

/** `name` is its own: processes that share their rate limiters find them by it. */
export function createThrottle(
  { makeRateLimiter }: Pick<Shared, 'makeRateLimiter'>,
  name: string,
  triesPerMinute: number,
): Throttle {
  const rateLimiter = makeRateLimiter(name, triesPerMinute);
  return {
    async consume(key) {
      const { isEmpty, ms } = await rateLimiter.consume(key);
      if (!isEmpty) return;
      const retryAfter = Math.max(1, Math.ceil(ms / 1000));
      throw errors.tooManyRequests({ message: 'Too many tries, please wait', retryAfter });
    },
    refund: rateLimiter.refund,
    reset: rateLimiter.reset,
  };
}
