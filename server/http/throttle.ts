/** Purses of tries: so many a minute for a key, then 429 until the minute is over. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { errors } from './errors.ts';

export interface Throttle {
  /** Takes one try. Throws 429 when none is left. */
  take(key: string): Promise<void>;
  /** Gives one back. */
  giveBack(key: string): Promise<void>;
  /** Fills the purse again. */
  reset(key: string): Promise<void>;
}

export function createThrottle(triesPerMinute: number): Throttle {
  const limiter = new RateLimiterMemory({ points: triesPerMinute, duration: 60 });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
      } catch (state) {
        if (state instanceof Error) throw state;
        const retryAfter = Math.max(1, Math.ceil((state as RateLimiterRes).msBeforeNext / 1000));
        throw errors.tooManyRequests({ message: 'Too many tries, please wait', retryAfter });
      }
    },
    async giveBack(key) {
      await limiter.reward(key, 1);
    },
    async reset(key) {
      await limiter.delete(key);
    },
  };
}
