/**
 * Rate limiters: so many points a minute for a key. In memory, or shared: by workers through their primary, or in
 * Redis.
 */
import cluster from 'node:cluster';
import type { FastifyReply } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { errors } from '../errors/catalogue.ts';
import type { Redis } from '../redis/connection.ts';

const windowSeconds = 60;
const primaryTimeoutMs = 1000;

/** `name` tells a kind of rate limiter from the others, in every process. */
export type MakeRateLimiter = (name: string, points: number) => RateLimiter;

/** What is made under a name a second time is the same limiter: routes of several modules count together. */
export function createRateLimiters(redis: Redis | undefined): MakeRateLimiter {
  const made = new Map<string, RateLimiter>();
  return (name, points) => {
    const limiter = made.get(name) ?? rateLimiter(limiterOf(redis, name, points));
    made.set(name, limiter);
    return limiter;
  };
}

function limiterOf(redis: Redis | undefined, name: string, points: number): RateLimiterAbstract {
  if (!redis) return machineLimiter(name, points);
  return new RateLimiterRedis({
    keyPrefix: name,
    points,
    duration: windowSeconds,
    storeClient: redis,
    useRedisPackage: true,
    // While Redis is down the number of machines is unknown; half of the limit for each is stricter than all of it.
    insuranceLimiter: machineLimiter(`${name}-alone`, Math.ceil(points / 2)),
  });
}

/** Counts what this machine serves: in this process, or for all workers in their primary. */
function machineLimiter(name: string, points: number): RateLimiterAbstract {
  const options = { keyPrefix: name, points, duration: windowSeconds };
  if (!cluster.isWorker) return new RateLimiterMemory(options);
  return new RLWrapperTimeouts({
    limiter: new RateLimiterCluster({ ...options, timeoutMs: primaryTimeoutMs }),
    timeoutMs: primaryTimeoutMs,
    insuranceLimiter: new RateLimiterMemory({ ...options, points: Math.ceil(points / 2) }),
  });
}

type RateLimiter = ReturnType<typeof rateLimiter>;

function rateLimiter(limiter: RateLimiterAbstract) {
  return {
    /** Takes one point; says when there was none left, and how it stands. */
    async consume(key: string) {
      try {
        return stateOf(await limiter.consume(key), false);
      } catch (reason) {
        // The library rejects with its state when the rate limiter is empty, and with an Error when it fails.
        if (reason instanceof RateLimiterRes) return stateOf(reason, true);
        throw reason;
      }
    },
    async refund(key: string): Promise<void> {
      await limiter.reward(key, 1);
    },
    async reset(key: string): Promise<void> {
      await limiter.delete(key);
    },
  };
}

/** `ms`: until the minute is over and the rate limiter full again. */
function stateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isEmpty: boolean) {
  // The library reckons with a clock that may have been set back meanwhile; its windows end by timers all the same.
  const ms = Math.min(msBeforeNext, windowSeconds * 1000);
  return { isEmpty, left: Math.max(0, remainingPoints), ms };
}

/**
 * A rate limit of `/api`, of requests a minute for each user or each address; `points` 0 is none. Takes one request
 * from the rate limiter of `key`, sets the three headers, throws tooManyRequests when it is empty.
 */
export function createRateLimit(
  { makeRateLimiter }: { makeRateLimiter: MakeRateLimiter },
  name: string,
  points: number,
): (key: string, reply: FastifyReply) => Promise<void> {
  if (points === 0) return async () => {};
  const rateLimiter = makeRateLimiter(name, points);
  return async (key, reply) => {
    const { isEmpty, left, ms } = await rateLimiter.consume(key);
    reply.header('X-RateLimit-Limit', points);
    reply.header('X-RateLimit-Remaining', left);
    reply.header('X-RateLimit-Reset', Math.ceil((Date.now() + ms) / 1000));
    if (isEmpty) throw errors.tooManyRequests({ retryAfter: secondsOf(ms) });
  };
}

/** Rate limiters of tries: `consume` throws tooManyRequests when none is left. */
export type Throttle = Omit<RateLimiter, 'consume'> & { consume(key: string): Promise<void> };

/** `name` is its own: processes that share their rate limiters find them by it. */
export function createThrottle(
  { makeRateLimiter }: { makeRateLimiter: MakeRateLimiter },
  name: string,
  triesPerMinute: number,
): Throttle {
  const rateLimiter = makeRateLimiter(name, triesPerMinute);
  return {
    ...rateLimiter,
    async consume(key) {
      const { isEmpty, ms } = await rateLimiter.consume(key);
      if (isEmpty)
        throw errors.tooManyRequests({ message: 'Too many tries, please wait', retryAfter: secondsOf(ms) });
    },
  };
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
