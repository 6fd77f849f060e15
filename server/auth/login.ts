/** Signing in: by username or email, slowed after failures, without telling which of the two was wrong. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { fold } from '../db/fold.ts';
import type { UserRow } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { verifyPassword } from './passwords.ts';
import type { Login } from './schema.ts';
import { findUserByLogin } from './store.ts';

/**
 * Failures a minute. The purse is that of account and address together, so that somebody who guesses from
 * elsewhere never locks the owner out; the address alone has a wider one, against guessing many accounts.
 */
const perAccountAndAddress = 10;
const perAddress = 50;

export type CheckLogin = (login: Login, ip: string) => Promise<UserRow>;

export function createCheckLogin(deps: Deps): CheckLogin {
  const narrow = new RateLimiterMemory({ points: perAccountAndAddress, duration: 60, keyPrefix: 'login' });
  const wide = new RateLimiterMemory({ points: perAddress, duration: 60, keyPrefix: 'address' });

  return async ({ username, password }, ip) => {
    const key = `${fold(username)}|${ip}`;
    // Taken before the password is hashed and given back on success: a burst cannot slip past the count.
    await spend(narrow, key);
    await spend(wide, ip);
    const user = await findUserByLogin(deps, username);
    if (!(await verifyPassword(password, user?.password_hash)) || !user) throw errors.wrongLogin();
    await narrow.delete(key);
    await wide.reward(ip, 1);
    // Only after the right password: otherwise anybody could ask which accounts are disabled.
    if (user.status !== 1) throw errors.accountDisabled();
    return user;
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (state) {
    if (state instanceof Error) throw state;
    const retryAfter = Math.max(1, Math.ceil((state as RateLimiterRes).msBeforeNext / 1000));
    throw errors.tooManyRequests({ message: 'Too many failed logins, please wait', retryAfter });
  }
}
