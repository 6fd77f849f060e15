/**
 * An access: the short-lived proof that a share's password was given, `<expiry>.<signature>`. It is bound to the
 * token of this one share, so that it opens no other with the same password, and dies with it.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../platform/db/secret.ts';

/** Seconds. */
export const accessLifetime = 3600;

const pattern = /^(\d{1,11})\.([\w-]{43})$/;

/** `now` in Unix seconds. */
export function makeAccess(token: string, now: number, secret: Secret): string {
  const expires = String(now + accessLifetime);
  return `${expires}.${sign(token, expires, secret)}`;
}

export function isAccessGood(access: string, token: string, now: number, secret: Secret): boolean {
  const match = pattern.exec(access);
  if (!match) return false;
  const [, expires, signature] = match as unknown as [string, string, string];
  const expected = sign(token, expires, secret);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) && Number(expires) > now;
}

function sign(token: string, expires: string, secret: Secret): string {
  // The first word keeps these signatures apart from others made with the same secret.
  return secret.sign(`share\n${token}\n${expires}`);
}
