/** Signing in: by username or email, slowed after failures, without telling which of the two was wrong. */

import type { Deps } from '../../deps.ts';
import { addressKey } from '../../platform/connections/address.ts';
import { fold } from '../../platform/db/fold.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { Shared } from '../../platform/http/shared.ts';
import type { RequestAttempt } from '../identity/attempts/watch.ts';
import { createPasswords } from '../identity/passwords.ts';
import { hasSessionFrom } from '../identity/sessions.ts';
import type { Login } from './schema.ts';
import { findUserByLogin } from './store.ts';

/**
 * Failures a minute. The narrow rate limiter is that of what was typed and the address together: guessing from elsewhere
 * never empties the owner's. The address has one for all names, and each name one for all addresses that its account
 * has no session from, so that many addresses together get no further; the owner's known places stay outside it.
 * A name and the email of its account are counted apart: what they had in common would tell that they belong together.
 */
const perNameAndAddress = 10;
const perAddress = 50;
const perNameFromStrangers = 100;

export function createCheckLogin(deps: Deps, shared: Shared) {
  const narrow = createThrottle(shared, 'login-account-address', perNameAndAddress);
  const wide = createThrottle(shared, 'login-address', perAddress);
  const strangers = createThrottle(shared, 'login-account', perNameFromStrangers);
  const passwords = createPasswords(deps, shared);

  return async ({ username, password }: Login, ip: string, attempt: RequestAttempt): Promise<UserRow> => {
    const user = await findUserByLogin(deps, username);
    attempt.account = user?.id;
    const name = fold(username);
    const address = addressKey(ip);
    const key = `${name}|${address}`;
    // Consumed before the password is hashed and refunded on success: a burst cannot slip past the count.
    await narrow.consume(key);
    await wide.consume(address);
    const isStranger = !(await hasSessionFrom(deps, user?.id, ip));
    if (isStranger) await strangers.consume(name);
    const isRight = await passwords.verify(password, user?.password_hash);
    if (!isRight || !user) throw errors.wrongLogin();
    await narrow.reset(key);
    await wide.refund(address);
    if (isStranger) await strangers.refund(name);
    // Only after the right password: otherwise every visitor could find out which accounts are disabled.
    if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
    return user;
  };
}
