/**
 * Checks a username or email address and a password. Failures slow down further attempts, and the response does not
 * reveal which of the two was wrong.
 */

import type { Deps } from '../../deps.ts';
import { getIpAddressKey } from '../../platform/connections/address.ts';
import { foldText } from '../../platform/db/fold.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import type { RequestAttempt } from '../identity/attempts/watch.ts';
import { createPasswordHashing } from '../identity/passwords.ts';
import { hasSessionFromAddress } from '../identity/sessions.ts';
import type { Login } from './schema.ts';
import { findUserByLogin } from './store.ts';

/**
 * Limits of failed sign-ins per minute. The narrow limit counts the typed name and the IP address together, so
 * guessing from elsewhere never blocks the owner. Each IP address has a limit for all names. Each name has a limit for
 * all IP addresses without a session of its account, so that many IP addresses together get no further.
 *
 * A username and the email address of its account count separately, because a common count would reveal that they
 * belong together.
 */
const failuresPerNameAndAddress = 10;
const failuresPerAddress = 50;
const failuresPerNameFromStrangers = 100;

export function createCheckLogin(deps: Deps, shared: SharedLimits) {
  const narrow = createThrottle(shared, 'login-account-address', failuresPerNameAndAddress);
  const wide = createThrottle(shared, 'login-address', failuresPerAddress);
  const strangers = createThrottle(shared, 'login-account', failuresPerNameFromStrangers);
  const passwords = createPasswordHashing(deps, shared);

  return async ({ username, password }: Login, ip: string, attempt: RequestAttempt): Promise<UserRow> => {
    const user = await findUserByLogin(deps, username);
    attempt.account = user?.id;
    const name = foldText(username);
    const address = getIpAddressKey(ip);
    const key = `${name}|${address}`;
    // Count the attempt before hashing the password and refund it on success, so that parallel attempts cannot
    // exceed the limit.
    await narrow.consume(key);
    await wide.consume(address);
    const isStranger = !(await hasSessionFromAddress(deps, user?.id, ip));
    if (isStranger) await strangers.consume(name);
    const isRight = await passwords.verify(password, user?.password_hash);
    if (!isRight || !user) throw errors.wrongLogin();
    await narrow.reset(key);
    await wide.refund(address);
    if (isStranger) await strangers.refund(name);
    // Reveal a disabled account only after the right password, or every visitor could find disabled accounts.
    if (user.status !== UserStatus.enabled) throw errors.accountDisabled();
    return user;
  };
}
