/** For whom an authenticator keeps a passkey: the host of this gallery, as the browser knows it. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { invalidFields } from '../../../platform/errors/catalogue.ts';
import { ownOriginOf } from '../../identity/cookie.ts';

export interface RelyingParty {
  /** `https://photos.example.org` */
  origin: string;
  /** `photos.example.org` */
  id: string;
}

/** Throws invalid where no browser would make a passkey: hosts without a name have none. */
export function relyingPartyOf(request: FastifyRequest, config: Config): RelyingParty {
  // Never what the request says of itself where the settings say it: Host is whatever a client or a proxy writes.
  const origin = config.baseUrl === undefined ? ownOriginOf(request, config) : new URL(config.baseUrl).origin;
  const id = new URL(origin).hostname;
  if (!hasName(id)) throw invalidFields({ response: ['passkeys need a gallery that is reached by a name'] });
  return { origin, id };
}

/**
 * Whether passkeys can be offered at all: not where people sign in at the OpenID provider alone (PASSWORD_LOGIN=0).
 * Without BASE_URL the browser has to see for itself whether its address has a name.
 */
export function canHavePasskeys({ baseUrl, passwordLogin }: Config): boolean {
  if (!passwordLogin) return false;
  return baseUrl === undefined || hasName(new URL(baseUrl).hostname);
}

function hasName(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) === 0;
}
