/**
 * The session of a browser: its token in a cookie that scripts cannot read, instead of in the answer. A browser sends
 * it along whoever made the page, so it counts only for requests that our own pages make.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { baseUrlOf } from '../../platform/http/base-url.ts';
import { isApiKey } from './tokens.ts';

/** Cookies do not tell ports apart, and a laptop has many servers: names of our own. */
export type CookieName = 'lightwell_session' | 'lightwell_oidc' | 'lightwell_second';
const plainName: CookieName = 'lightwell_session';
/** Browsers take such a name only over https, for one host and all paths: no neighbouring host can plant one. */
const securePrefix = '__Host-';
const secureName = `${securePrefix}${plainName}`;

/** Whether the browser reaches the gallery by https, also where it alone says so. */
function isSecure(request: FastifyRequest, config: Config): boolean {
  return baseUrlOf(request, config).startsWith('https:');
}

/** Whether BASE_URL, the connection or a trusted proxy says so: then a cookie without the prefix is somebody else's. */
function isKnownSecure({ protocol }: FastifyRequest, { baseUrl }: Config): boolean {
  return baseUrl === undefined ? protocol === 'https' : baseUrl.startsWith('https:');
}

/** Names under which a cookie is read. If only the browser says https, a cookie that was set without it counts, too. */
function cookieNames(request: FastifyRequest, config: Config, name: CookieName): string[] {
  const secure = `${securePrefix}${name}`;
  return isKnownSecure(request, config) ? [secure] : [secure, name];
}

interface NewCookie {
  name: CookieName;
  value: string;
  /** 0 takes it back. */
  seconds: number;
}

/** Adds it to the answer. */
export function writeCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  { name, value, seconds }: NewCookie,
): void {
  const now = `${isSecure(request, config) ? securePrefix : ''}${name}`;
  // Taken back under each name that the browser has it under.
  const held = seconds === 0 ? cookieNames(request, config, name).filter((one) => isSent(request, one)) : [];
  for (const each of held.length > 0 ? held : [now]) {
    const secure = each.startsWith(securePrefix) ? '; Secure' : '';
    reply.header(
      'Set-Cookie',
      `${each}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
}

/** Its value; undefined without one. */
export function cookieOf(request: FastifyRequest, config: Config, name: CookieName): string | undefined {
  const held = cookieNames(request, config, name).find((each) => isSent(request, each));
  return held && valueIn(request, held);
}

function isSent(request: FastifyRequest, name: string): boolean {
  return valueIn(request, name) !== undefined;
}

function valueIn({ headers }: FastifyRequest, name: string): string | undefined {
  const begin = `${name}=`;
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim());
  return parts.find((part) => part.startsWith(begin))?.slice(begin.length);
}

/** Hands the token of a new session to the browser. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  token: string,
): void {
  writeCookie(request, reply, config, { name: plainName, value: token, seconds: config.tokenTtl });
}

/** Takes it back. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  writeCookie(request, reply, config, { name: plainName, value: '', seconds: 0 });
}

const valuePattern = '([A-Za-z0-9_-]{43})(?:;|$)';
const plainCookie = new RegExp(`(?:^|;\\s*)${plainName}=${valuePattern}`);
const secureCookie = new RegExp(`(?:^|;\\s*)${secureName}=${valuePattern}`);

/** The session's token that the browser sent along; undefined without one, also where another proof is given. */
export function sessionCookieOf(request: FastifyRequest, config: Config): string | undefined {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined || cookie === undefined) return undefined;
  const plain = isKnownSecure(request, config) ? undefined : plainCookie.exec(cookie)?.[1];
  const token = secureCookie.exec(cookie)?.[1] ?? plain;
  return token && !isApiKey(token) ? token : undefined;
}

/**
 * Whether a cookie counts for the request: a page of another origin reads with nobody's rights, and is refused where it
 * wants to write. Throws forbidden.
 */
export function isForCookies(request: FastifyRequest, config: Config): boolean {
  const page = pageBehind(request, config);
  if (request.method === 'GET' || request.method === 'HEAD') return page !== 'theirs';
  if (page === 'ours') return true;
  throw errors.forbidden({ message: notOurPage });
}

/** A page of another origin must not sign its readers in as somebody else. Throws forbidden. */
export function refuseOtherPages(request: FastifyRequest, config: Config): void {
  if (pageBehind(request, config) === 'theirs') throw errors.forbidden({ message: notOurPage });
}

/** Whether a page of another site led the browser here, which its reader may not have asked for. Over http none says so. */
export function isLedFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

const notOurPage =
  'A session cookie counts only for pages of this gallery: Origin or Sec-Fetch-Site must say so (see BASE_URL)';

/**
 * Whose page made the request: `ours`; `theirs`, of another origin, or a frame of it; `unknown` where the client says
 * nothing, as command line tools and browsers that follow a link over plain http do. Browsers write these headers
 * themselves, out of reach of a page's scripts.
 */
function pageBehind(request: FastifyRequest, config: Config): 'ours' | 'theirs' | 'unknown' {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = request.headers;
  // A form of a page that sends no referrer has the origin `null`, as has what is put into a sandbox; the site tells.
  const isNamed = origin !== undefined && !(origin === 'null' && site === 'same-origin');
  if (isNamed && !isOwnOrigin(origin, request, config)) return 'theirs';
  if (site === 'same-origin') return 'ours';
  // Typed in or from a bookmark; a link elsewhere that leads to us opens a page that its origin cannot read.
  if (site === 'none' || (site !== undefined && isOpeningPage(request, destination))) return 'unknown';
  if (site !== undefined) return 'theirs';
  return origin === undefined ? 'unknown' : 'ours';
}

function isOpeningPage({ headers }: FastifyRequest, destination: string | string[] | undefined): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && destination === 'document';
}

/** BASE_URL's, or the address that this request was sent to, which is the page's own where the page is ours. */
function isOwnOrigin(origin: string, request: FastifyRequest, config: Config): boolean {
  if (origin === originOf(baseUrlOf(request, config))) return true;
  // A proxy that ends TLS need not tell: the browser knows the host that it asked.
  const { host } = request;
  return origin === `https://${host}` || (!isSecure(request, config) && origin === `http://${host}`);
}

/**
 * The origin of our page that made the request: what the browser calls it, where that is ours. Behind a proxy that ends
 * TLS without telling, only the browser knows that it is https.
 */
export function ownOriginOf(request: FastifyRequest, config: Config): string {
  const { origin } = request.headers;
  if (origin !== undefined && isOwnOrigin(origin, request, config)) return origin;
  return originOf(baseUrlOf(request, config));
}

function originOf(url: string): string {
  return new URL(url).origin;
}
