/**
 * A challenge that ties an account to a person at the provider is for the browser that came from there: whoever is sent
 * its link would else tie their account, by their own code, to somebody else.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { type CookieName, cookieOf, writeCookie } from '../../identity/cookie.ts';

const cookie: CookieName = 'lightwell_second';
const signed = (challenge: string) => `second\n${challenge}`;

type Own = Pick<Deps, 'config' | 'secret'>;

/** Challenges of one browser that are under way at once: tabs that wait for a code. */
const mostTabs = 4;

/** `seconds`: as long as the challenge is good. */
export function keepChallenge(
  { config, secret }: Own,
  request: FastifyRequest,
  reply: FastifyReply,
  { challenge, seconds }: { challenge: string; seconds: number },
): void {
  const value = [secret.sign(signed(challenge)), ...keptIn(request, config)].slice(0, mostTabs).join('.');
  writeCookie(request, reply, config, { name: cookie, value, seconds });
}

/** Whether this browser came from the provider with it. */
export function hasChallenge({ config, secret }: Own, request: FastifyRequest, challenge: string): boolean {
  return keptIn(request, config).some((signature) => secret.isSigned(signed(challenge), signature));
}

/** Signatures, the newest first. A browser may send anything. */
function keptIn(request: FastifyRequest, config: Own['config']): string[] {
  return (cookieOf(request, config, cookie) ?? '').split('.').filter(Boolean).slice(0, mostTabs);
}
