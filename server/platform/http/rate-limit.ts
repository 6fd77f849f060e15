/** The rate limit of `/api`: a rate limiter of requests a minute for each user, or each address. */
import type { FastifyReply } from 'fastify';
import type { Config } from '../../config.ts';
import { errors } from '../errors/catalogue.ts';
import type { Shared } from './shared.ts';

/**
 * Takes one request from the rate limiter of `key`, sets the three headers, throws tooManyRequests when the rate
 * limiter is empty.
 */
export type Spend = (key: string, reply: FastifyReply) => Promise<void>;

export function createRateLimit(
  { config }: { config: Config },
  { makeRateLimiter }: Pick<Shared, 'makeRateLimiter'>,
): Spend {
  const points = config.rateLimit;
  if (points === 0) return async () => {};
  const rateLimiter = makeRateLimiter('api', points);
  return async (key, reply) => {
    const { isEmpty, left, ms } = await rateLimiter.consume(key);
    reply.header('X-RateLimit-Limit', points);
    reply.header('X-RateLimit-Remaining', left);
    reply.header('X-RateLimit-Reset', Math.ceil((Date.now() + ms) / 1000));
    if (isEmpty) throw errors.tooManyRequests({ retryAfter: Math.max(1, Math.ceil(ms / 1000)) });
  };
}
