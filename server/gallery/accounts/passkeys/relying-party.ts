/** Determines the relying party of passkeys: the host of this gallery as the browser knows it. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import { getOwnOrigin } from '../../identity/cookie.ts';

export interface RelyingParty {
  /** Origin of the gallery, such as `https://photos.example.org`. */
  origin: string;
  /** Host name of the gallery, such as `photos.example.org`. */
  id: string;
}

/**
 * Returns the relying party of the request. Throws invalid for a host without a name, for which browsers create no
 * passkeys.
 */
export function getRelyingParty(request: FastifyRequest, config: Config): RelyingParty {
  // If BASE_URL is set, ignore the request's Host header, which a client or a proxy can choose.
  const origin =
    config.baseUrl === undefined ? getOwnOrigin(request, config) : new URL(config.baseUrl).origin;
  const id = new URL(origin).hostname;
  if (!isHostName(id))
    throw invalidFieldsError({ response: ['Passkeys need a gallery with a host name, not an IP address'] });
  return { origin, id };
}

/**
 * Returns whether the gallery can offer passkeys. Returns false if users sign in only at the OpenID provider
 * (PASSWORD_LOGIN=0). Without BASE_URL, the browser must check whether its URL has a name.
 */
export function canOfferPasskeys({ baseUrl, passwordLogin }: Config): boolean {
  if (!passwordLogin) return false;
  return baseUrl === undefined || isHostName(new URL(baseUrl).hostname);
}

function isHostName(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) === 0;
}
