/** Purses: so many points a minute for a key. In memory, or shared by several processes through Redis. */
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Redis } from '../redis/connection.ts';

const windowSeconds = 60;

export interface Purse {
  /** Takes one point; says when there was none left, and how it stands. */
  take(key: string): Promise<PurseState>;
  /** Gives one back. */
  giveBack(key: string): Promise<void>;
  /** Fills the purse again. */
  fill(key: string): Promise<void>;
}

export interface PurseState {
  isEmpty: boolean;
  left: number;
  /** Until the minute is over and the purse full again. */
  ms: number;
}

/** `name` tells a kind of purse from the others, in every process. */
export type MakePurse = (name: string, points: number) => Purse;

export function createPurses(redis: Redis | undefined): MakePurse {
  return (name, points) => purse(limiterOf(redis, name, points));
}

function limiterOf(redis: Redis | undefined, name: string, points: number): RateLimiterAbstract {
  const options = { keyPrefix: name, duration: windowSeconds };
  if (!redis) return new RateLimiterMemory({ ...options, points });
  return new RateLimiterRedis({
    ...options,
    points,
    storeClient: redis,
    useRedisPackage: true,
    // While Redis is down nobody knows how many processes there are; half each is stricter than all.
    insuranceLimiter: new RateLimiterMemory({ ...options, points: Math.ceil(points / 2) }),
  });
}

function purse(limiter: RateLimiterAbstract): Purse {
  return {
    async take(key) {
      try {
        return stateOf(await limiter.consume(key), false);
      } catch (reason) {
        // The library rejects with its state when the purse is empty, and with an Error when it fails.
        if (reason instanceof RateLimiterRes) return stateOf(reason, true);
        throw reason;
      }
    },
    async giveBack(key) {
      await limiter.reward(key, 1);
    },
    async fill(key) {
      await limiter.delete(key);
    },
  };
}

function stateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isEmpty: boolean): PurseState {
  return { isEmpty, left: Math.max(0, remainingPoints), ms: msBeforeNext };
}
