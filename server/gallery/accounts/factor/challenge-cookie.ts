/**
 * Binds a sign-in challenge to the browser that came from the OpenID provider. Without the binding, an attacker
 * could send the link to a victim, whose second factor would then link the victim's account to the attacker's
 * identity.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { type CookieName, readCookie, writeCookie } from '../../identity/cookie.ts';

const challengeCookieName: CookieName = 'lightwell_second';
const challengeTextToSign = (challenge: string) => `second\n${challenge}`;

type CookieDeps = Pick<Deps, 'config' | 'secret'>;

/** Maximum number of open sign-in challenges per browser, such as tabs that wait for a code. */
const maxTabs = 4;

/** Stores a signature of the sign-in challenge in a cookie. `seconds` is the lifetime of the challenge. */
export function setChallengeCookie(
  { config, secret }: CookieDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { challenge, seconds }: { challenge: string; seconds: number },
): void {
  const value = [secret.sign(challengeTextToSign(challenge)), ...readSignatures(request, config)]
    .slice(0, maxTabs)
    .join('.');
  writeCookie(request, reply, config, { name: challengeCookieName, value, seconds });
}

/** Returns whether this browser received the sign-in challenge when it came from the OpenID provider. */
export function hasChallengeCookie(
  { config, secret }: CookieDeps,
  request: FastifyRequest,
  challenge: string,
): boolean {
  return readSignatures(request, config).some((signature) =>
    secret.isSigned(challengeTextToSign(challenge), signature),
  );
}

/** Returns the signatures of sign-in challenges in the cookie, newest first. A browser can send any value. */
function readSignatures(request: FastifyRequest, config: CookieDeps['config']): string[] {
  return (readCookie(request, config, challengeCookieName) ?? '')
    .split('.')
    .filter(Boolean)
    .slice(0, maxTabs);
}
