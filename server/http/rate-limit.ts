/** The rate limit of `/api`: a purse of requests a minute for each user, or each address. */
import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Deps } from '../deps.ts';
import { errors } from './errors.ts';

const windowSeconds = 60;

/** Takes one request from the purse of `key`, sets the three headers, throws 429 when the purse is empty. */
export type Spend = (key: string, reply: FastifyReply) => Promise<void>;

export function createRateLimit({ config }: Deps): Spend {
  const points = config.rateLimit;
  if (points === 0) return async () => {};
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  return async (key, reply) => {
    const state = await limiter.consume(key).catch(refusalOf);
    const seconds = Math.ceil(state.msBeforeNext / 1000);
    reply.header('X-RateLimit-Limit', points);
    reply.header('X-RateLimit-Remaining', Math.max(0, state.remainingPoints));
    reply.header('X-RateLimit-Reset', Math.ceil((Date.now() + state.msBeforeNext) / 1000));
    if (state.consumedPoints > points) throw errors.tooManyRequests({ retryAfter: Math.max(1, seconds) });
  };
}

/** The library rejects with its state when the purse is empty, and with an Error when it fails. */
function refusalOf(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}
