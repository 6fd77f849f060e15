/**
 * An access: the short-lived proof that a share's password was given, or that one of its views was taken,
 * `<expiry>.<signature>`. It is bound to this one share and its password of now: it opens no other share with the same
 * password, and dies with the share and with the password.
 */
import type { Secret } from '../../platform/db/secret.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { isWithin } from '../../platform/process/clock.ts';

/** Seconds. */
export const accessLifetime = 3600;

type Opened = Pick<ShareRow, 'token' | 'password_hash'>;

const pattern = /^(\d{1,11})\.([\w-]{43})$/;

/** `now` in Unix seconds. */
export function makeAccess(share: Opened, now: number, secret: Secret): string {
  const expires = String(now + accessLifetime);
  return `${expires}.${secret.sign(signed(share, expires))}`;
}

export function isAccessGood(access: string, share: Opened, now: number, secret: Secret): boolean {
  const match = pattern.exec(access);
  if (!match) return false;
  const [, expires, signature] = match as unknown as [string, string, string];
  return isWithin(Number(expires), now, accessLifetime) && secret.isSigned(signed(share, expires), signature);
}

function signed({ token, password_hash }: Opened, expires: string): string {
  // The first word keeps these signatures apart from others made with the same secret.
  return `share\n${token}\n${expires}\n${password_hash}`;
}
