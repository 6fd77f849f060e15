/** Before what concerns the security of an account: that it is still its owner who sits at the session. */
import type { Deps } from '../../deps.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { Shared } from '../../platform/http/shared.ts';
import { createPasswords } from '../identity/passwords.ts';
import { getUser } from '../identity/users.ts';
import type { Viewer } from '../identity/viewer.ts';

/** Wrong tries a minute in a session: a stolen one must not find out the password. Another session has its own. */
const perSession = 10;

/** What it makes returns the account. Throws wrongOldPassword, or tooManyRequests after too many tries. */
export function createConfirm(deps: Deps, shared: Shared) {
  const throttle = createThrottle(shared, 'old-password', perSession);
  const passwords = createPasswords(deps, shared);

  return async (viewer: Viewer, password: string): Promise<UserRow> => {
    const user = await getUser(deps, viewer.id);
    // Consumed before the password is hashed and refunded when it is right: a burst cannot slip past the count.
    const key = `${viewer.id}|${viewer.sessionId}`;
    await throttle.consume(key);
    if (!(await passwords.verify(password, user.password_hash))) throw errors.wrongOldPassword();
    await throttle.reset(key);
    return user;
  };
}
