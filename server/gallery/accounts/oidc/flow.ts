/** What a browser keeps while its person is at the provider: one cookie, signed, good for some minutes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { isWithin } from '../../../platform/process/clock.ts';
import { type CookieName, cookieOf, writeCookie } from '../../identity/cookie.ts';
import type { JoinLink } from '../registration/may-join.ts';
import type { Checks } from './provider.ts';

/** Seconds. */
const lifetime = 600;
const cookie: CookieName = 'lightwell_oidc';

export interface Flow extends Checks, JoinLink {
  /** Where one goes afterwards: a path of this gallery. */
  to: string;
  /** The session whose account is to be tied; 0: somebody signs in. */
  session: number;
}

type Kept = Flow & { until: number };
type Own = Pick<Deps, 'clock' | 'config' | 'secret'>;

const signed = (text: string) => `oidc\n${text}`;

export function keepFlow(
  { clock, config, secret }: Own,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
) {
  const kept: Kept = { ...flow, until: clock() + lifetime };
  const text = Buffer.from(JSON.stringify(kept)).toString('base64url');
  writeCookie(request, reply, config, {
    name: cookie,
    value: `${text}.${secret.sign(signed(text))}`,
    seconds: lifetime,
  });
}

/**
 * Takes it from the browser: what comes back a second time finds none. Undefined for one that is not ours, and for one
 * with another `state`: that is of another tab, which went later, and finds it there when it comes back.
 */
export function takeFlow(
  { clock, config, secret }: Own,
  request: FastifyRequest,
  reply: FastifyReply,
  state: string | undefined,
): Flow | undefined {
  const value = cookieOf(request, config, cookie);
  if (value === undefined) return undefined;
  const [text = '', signature = ''] = value.split('.');
  if (!secret.isSigned(signed(text), signature)) return undefined;
  const kept = JSON.parse(Buffer.from(text, 'base64url').toString()) as Kept;
  if (kept.state !== state) return undefined;
  writeCookie(request, reply, config, { name: cookie, value: '', seconds: 0 });
  return isWithin(kept.until, clock(), lifetime) ? kept : undefined;
}

/** Of what a browser is led to: it keeps that in a cookie of 4 kB at most, and one that is larger not at all. */
const maxPath = 2000;

/**
 * A path of this gallery, as headers take it, else the home page: browsers read `//host` and `/\host` as other hosts.
 * What was short as it was typed may be nine times as long here.
 */
export function localPath(to: string | undefined): string {
  if (to === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to)) return '/';
  const { pathname, search, hash } = new URL(to, 'http://gallery.invalid');
  const path = pathname + search + hash;
  return path.startsWith('//') || path.length > maxPath ? '/' : path;
}
