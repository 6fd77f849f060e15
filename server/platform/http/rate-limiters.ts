/**
 * Rate limiters that allow a number of points per minute and key. Counts are in memory, or shared by workers through
 * the primary process, or shared in Redis.
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

/** Creates a rate limiter. `name` identifies the limiter in all processes. */
export type MakeRateLimiter = (name: string, points: number) => RateLimiter;

/**
 * Returns a function that creates rate limiters. A repeated name returns the same limiter, so that routes of several
 * modules count together.
 */
export function createRateLimiters(redis: Redis | undefined): MakeRateLimiter {
  const made = new Map<string, RateLimiter>();
  return (name, points) => {
    const limiter = made.get(name) ?? rateLimiter(createLimiter(redis, name, points));
    made.set(name, limiter);
    return limiter;
  };
}

function createLimiter(redis: Redis | undefined, name: string, points: number): RateLimiterAbstract {
  if (!redis) return machineLimiter(name, points);
  return new RateLimiterRedis({
    keyPrefix: name,
    points,
    duration: windowSeconds,
    storeClient: redis,
    useRedisPackage: true,
    // While Redis is down, the number of machines is unknown. Half of the points per machine is stricter than the full
    // limit on each machine.
    insuranceLimiter: machineLimiter(`${name}-alone`, Math.ceil(points / 2)),
  });
}

/** Returns a limiter for this machine: in this process, or for all workers in the primary process. */
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
    /** Takes one point. Returns the state, and whether no point was left. */
    async consume(key: string) {
      try {
        return limiterState(await limiter.consume(key), false);
      } catch (reason) {
        // The library rejects with its state when the limiter is empty, and with an Error when it fails.
        if (reason instanceof RateLimiterRes) return limiterState(reason, true);
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

/** Returns the state of a limiter. `ms` is the time in milliseconds until the limiter is full again. */
function limiterState({ consumedPoints, remainingPoints, msBeforeNext }: RateLimiterRes, isEmpty: boolean) {
  // The library uses a clock that may have been set back. The library's windows end by timers, so a longer time is
  // wrong.
  const ms = Math.min(msBeforeNext, windowSeconds * 1000);
  return { isEmpty, used: consumedPoints, left: Math.max(0, remainingPoints), ms };
}

/**
 * Creates a rate limit of `/api`: `points` requests per minute for each user or IP address; 0 means no limit. The
 * returned function counts one request and sets three response headers, and throws tooManyRequests when the limit is
 * reached.
 */
export function createRateLimit(
  { makeRateLimiter }: { makeRateLimiter: MakeRateLimiter },
  name: string,
  points: number,
): (key: string, reply: FastifyReply) => Promise<void> {
  if (points === 0) return async () => {};
  const rateLimiter = makeRateLimiter(name, points);
  return async (key, reply) => {
    announceLimit(reply, points, await rateLimiter.consume(key));
  };
}

/** Limit that no API key reaches, for a limiter whose number of requests differs from key to key. */
const unreachablePoints = 2_000_000_000;

/** Creates a rate limit like `createRateLimit`, but each request names the points of its key, at least 1. */
export function createRateLimitByKey(
  { makeRateLimiter }: { makeRateLimiter: MakeRateLimiter },
  name: string,
) {
  const rateLimiter = makeRateLimiter(name, unreachablePoints);
  return async (key: string, points: number, reply: FastifyReply): Promise<void> => {
    const { used, ms } = await rateLimiter.consume(key);
    announceLimit(reply, points, { isEmpty: used > points, left: Math.max(0, points - used), ms });
  };
}

interface LimitState {
  isEmpty: boolean;
  left: number;
  ms: number;
}

function announceLimit(reply: FastifyReply, points: number, { isEmpty, left, ms }: LimitState): void {
  reply.header('X-RateLimit-Limit', points);
  reply.header('X-RateLimit-Remaining', left);
  reply.header('X-RateLimit-Reset', Math.ceil((Date.now() + ms) / 1000));
  if (isEmpty) throw errors.tooManyRequests({ retryAfter: toWholeSeconds(ms) });
}

/** Rate limiter for attempts, such as passwords. `consume` throws tooManyRequests when no attempt is left. */
export type Throttle = Omit<RateLimiter, 'consume'> & { consume(key: string): Promise<void> };

/** Creates a throttle. `name` must be unique, because processes share a limiter by its name. */
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
        throw errors.tooManyRequests({
          message: 'Too many attempts. Try again later.',
          retryAfter: toWholeSeconds(ms),
        });
    },
  };
}

function toWholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
