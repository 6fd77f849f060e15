/**
 * An access: the short-lived proof that a share's password was given, or that one of its views was taken,
 * `<expiry>.<signature>`. It is bound to this one share and its password of now: it opens no other share with the same
 * password, and dies with the share and with the password.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../platform/db/secret.ts';
import type { ShareRow } from '../../platform/db/tables.ts';

/** Seconds. */
export const accessLifetime = 3600;

type Opened = Pick<ShareRow, 'token' | 'password_hash'>;

const pattern = /^(\d{1,11})\.([\w-]{43})$/;

/** `now` in Unix seconds. */
export function makeAccess(share: Opened, now: number, secret: Secret): string {
  const expires = String(now + accessLifetime);
  return `${expires}.${sign(share, expires, secret)}`;
}

export function isAccessGood(access: string, share: Opened, now: number, secret: Secret): boolean {
  const match = pattern.exec(access);
  if (!match) return false;
  const [, expires, signature] = match as unknown as [string, string, string];
  const expected = sign(share, expires, secret);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) && Number(expires) > now;
}

function sign({ token, password_hash }: Opened, expires: string, secret: Secret): string {
  // The first word keeps these signatures apart from others made with the same secret.
  return secret.sign(`share\n${token}\n${expires}\n${password_hash}`);
}
