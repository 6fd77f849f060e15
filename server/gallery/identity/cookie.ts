/**
 * Manages the session cookie of browsers, which scripts cannot read. Browsers also send the cookie with requests
 * from pages of other sites, so the cookie counts only for requests from the gallery's own pages.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { getBaseUrl } from '../../platform/http/base-url.ts';
import { isApiKey, readBearer } from './tokens.ts';

/**
 * Names of the cookies. Cookies are shared by all ports of a host, so the names start with the name of the project.
 */
export type CookieName = 'lightwell_session' | 'lightwell_oidc' | 'lightwell_second';
const plainName: CookieName = 'lightwell_session';
/**
 * Prefix of secure cookies. Browsers accept such a cookie only over https for one host and all paths, so a
 * neighboring host cannot set one.
 */
const securePrefix = '__Host-';
const secureName = `${securePrefix}${plainName}`;

/** Returns whether the browser reaches the gallery by https. The browser's own report is enough. */
function isSecure(request: FastifyRequest, config: Config): boolean {
  return getBaseUrl(request, config).startsWith('https:');
}

/**
 * Returns whether BASE_URL, the connection or a trusted proxy confirms https. With confirmed https, cookies without
 * the secure prefix are ignored, because another site may have set them.
 */
function isKnownSecure({ protocol }: FastifyRequest, { baseUrl }: Config): boolean {
  return baseUrl === undefined ? protocol === 'https' : baseUrl.startsWith('https:');
}

/**
 * Returns the names under which a cookie is read. If only the browser reports https, a cookie set over http counts
 * as well.
 */
function cookieNames(request: FastifyRequest, config: Config, name: CookieName): string[] {
  const secure = `${securePrefix}${name}`;
  return isKnownSecure(request, config) ? [secure] : [secure, name];
}

interface NewCookie {
  name: CookieName;
  value: string;
  /** Lifetime of the cookie in seconds. 0 deletes the cookie. */
  seconds: number;
}

/** Adds a cookie to the response. */
export function writeCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  { name, value, seconds }: NewCookie,
): void {
  const now = `${isSecure(request, config) ? securePrefix : ''}${name}`;
  // Delete the cookie under each of its names that the browser has sent.
  const held = seconds === 0 ? cookieNames(request, config, name).filter((one) => isSent(request, one)) : [];
  for (const each of held.length > 0 ? held : [now]) {
    const secure = each.startsWith(securePrefix) ? '; Secure' : '';
    reply.header(
      'Set-Cookie',
      `${each}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
}

/** Returns the value of a cookie, or undefined if the request has none. */
export function readCookie(request: FastifyRequest, config: Config, name: CookieName): string | undefined {
  const held = cookieNames(request, config, name).find((each) => isSent(request, each));
  return held && readCookieValue(request, held);
}

function isSent(request: FastifyRequest, name: string): boolean {
  return readCookieValue(request, name) !== undefined;
}

function readCookieValue({ headers }: FastifyRequest, name: string): string | undefined {
  const begin = `${name}=`;
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim());
  return parts.find((part) => part.startsWith(begin))?.slice(begin.length);
}

/** Sets the cookie with the token of a new session. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  token: string,
): void {
  writeCookie(request, reply, config, { name: plainName, value: token, seconds: config.tokenTtl });
}

/** Deletes the session cookie. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  writeCookie(request, reply, config, { name: plainName, value: '', seconds: 0 });
}

const valuePattern = '([A-Za-z0-9_-]{43})(?:;|$)';
const plainCookie = new RegExp(`(?:^|;\\s*)${plainName}=${valuePattern}`);
const secureCookie = new RegExp(`(?:^|;\\s*)${secureName}=${valuePattern}`);

/**
 * Returns the session token from the request's cookie, or undefined without a cookie. A request with a bearer token
 * ignores its cookie.
 */
export function readSessionCookie(request: FastifyRequest, config: Config): string | undefined {
  const { authorization, cookie } = request.headers;
  if (readBearer(authorization) !== undefined || cookie === undefined) return undefined;
  const plain = isKnownSecure(request, config) ? undefined : plainCookie.exec(cookie)?.[1];
  const token = secureCookie.exec(cookie)?.[1] ?? plain;
  return token && !isApiKey(token) ? token : undefined;
}

/**
 * Returns whether the session cookie counts for the request. For a page of another origin, reads are anonymous and
 * writes throw forbidden.
 */
export function mayUseSessionCookie(request: FastifyRequest, config: Config): boolean {
  const page = requestingPage(request, config);
  if (request.method === 'GET' || request.method === 'HEAD') return page !== 'theirs';
  if (page === 'ours') return true;
  throw errors.forbidden({ message: otherOriginMessage });
}

/**
 * Throws forbidden for a request from another origin's page, which could otherwise sign its visitors in to another
 * account.
 */
export function refuseCrossOriginPages(request: FastifyRequest, config: Config): void {
  if (requestingPage(request, config) === 'theirs') throw errors.forbidden({ message: otherOriginMessage });
}

/**
 * Returns whether a page of another site led the browser here, perhaps against the user's will. Over plain http,
 * browsers do not report this in Sec-Fetch-Site.
 */
export function isCrossSiteNavigation({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

const otherOriginMessage =
  'The session cookie is accepted only from pages of this gallery, by the headers Origin or ' +
  'Sec-Fetch-Site. Check BASE_URL, or use a token.';

/**
 * Returns which page made the request: `ours`, `theirs` for a page or frame of another origin, or `unknown`.
 * Command-line tools send no such headers, and neither do browsers that follow a link over plain http. Scripts of a
 * page cannot change these headers.
 */
function requestingPage(request: FastifyRequest, config: Config): 'ours' | 'theirs' | 'unknown' {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = request.headers;
  // A form on a page without a referrer has the origin `null`, like sandboxed content. The header Sec-Fetch-Site
  // tells a form from a sandbox.
  const isNamed = origin !== undefined && !(origin === 'null' && site === 'same-origin');
  if (isNamed && !isOwnOrigin(origin, request, config)) return 'theirs';
  if (site === 'same-origin') return 'ours';
  // The user typed the URL or used a bookmark, or a link on another site opened a page that the other site
  // cannot read.
  if (site === 'none' || (site !== undefined && isOpeningPage(request, destination))) return 'unknown';
  if (site !== undefined) return 'theirs';
  return origin === undefined ? 'unknown' : 'ours';
}

function isOpeningPage({ headers }: FastifyRequest, destination: string | string[] | undefined): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && destination === 'document';
}

/** Returns whether the origin is that of BASE_URL or of the URL to which this request was sent. */
function isOwnOrigin(origin: string, request: FastifyRequest, config: Config): boolean {
  if (origin === originOf(getBaseUrl(request, config))) return true;
  // Accept the https origin of the request's host as well, because a proxy that ends TLS may not report https.
  const { host } = request;
  return origin === `https://${host}` || (!isSecure(request, config) && origin === `http://${host}`);
}

/**
 * Returns the origin of the gallery's page that made the request. Prefers the browser's own Origin header, because
 * behind some proxies only the browser knows that it uses https.
 */
export function getOwnOrigin(request: FastifyRequest, config: Config): string {
  const { origin } = request.headers;
  if (origin !== undefined && isOwnOrigin(origin, request, config)) return origin;
  return originOf(getBaseUrl(request, config));
}

function originOf(url: string): string {
  return new URL(url).origin;
}
