/**
 * Stores the state of a sign-in in a signed cookie, valid for ten minutes, while the user is at the OpenID
 * provider.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { isWithinValidity } from '../../../platform/process/clock.ts';
import { type CookieName, readCookie, writeCookie } from '../../identity/cookie.ts';
import type { RegistrationLink } from '../registration/can-register.ts';
import type { OidcFlowSecrets } from './provider.ts';

/** Seconds for which the cookie with the state of a sign-in is valid. */
const flowSeconds = 600;
const flowCookieName: CookieName = 'lightwell_oidc';

export interface OidcFlow extends OidcFlowSecrets, RegistrationLink {
  /** Path of this gallery to which the browser goes after the sign-in. */
  to: string;
  /** Id of the session whose account will be linked to the OpenID provider, or 0 for a sign-in. */
  session: number;
}

type StoredFlow = OidcFlow & { until: number };
type FlowDeps = Pick<Deps, 'clock' | 'config' | 'secret'>;

const textToSign = (text: string) => `oidc\n${text}`;

export function setOidcFlowCookie(
  { clock, config, secret }: FlowDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: OidcFlow,
) {
  const kept: StoredFlow = { ...flow, until: clock() + flowSeconds };
  const text = Buffer.from(JSON.stringify(kept)).toString('base64url');
  writeCookie(request, reply, config, {
    name: flowCookieName,
    value: `${text}.${secret.sign(textToSign(text))}`,
    seconds: flowSeconds,
  });
}

/**
 * Returns the state of a sign-in and deletes its cookie, so that the same response cannot be used again. Returns
 * undefined for a cookie with an invalid signature or another `state`. Another `state` means that a second tab has
 * overwritten the cookie, so the cookie stays for that tab.
 */
export function consumeOidcFlowCookie(
  { clock, config, secret }: FlowDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  state: string | undefined,
): OidcFlow | undefined {
  const value = readCookie(request, config, flowCookieName);
  if (value === undefined) return undefined;
  const [text = '', signature = ''] = value.split('.');
  if (!secret.isSigned(textToSign(text), signature)) return undefined;
  const kept = JSON.parse(Buffer.from(text, 'base64url').toString()) as StoredFlow;
  if (kept.state !== state) return undefined;
  writeCookie(request, reply, config, { name: flowCookieName, value: '', seconds: 0 });
  return isWithinValidity(kept.until, clock(), flowSeconds) ? kept : undefined;
}
