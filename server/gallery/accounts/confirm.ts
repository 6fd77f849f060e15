/** Confirms that the owner of an account uses the session, before a security setting changes. */
import type { Deps } from '../../deps.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { createPasswordHashing } from '../identity/passwords.ts';
import { getUser } from '../identity/users.ts';
import type { Viewer } from '../identity/viewer.ts';

/**
 * Maximum number of wrong passwords per minute and session. The limit prevents guessing the password with a stolen
 * session, without affecting other sessions.
 */
const wrongPasswordsPerSession = 10;

/**
 * Returns a function that checks the viewer's password and returns the account. The function throws
 * wrongOldPassword, or tooManyRequests after too many attempts.
 */
export function createConfirmPassword(deps: Deps, shared: SharedLimits) {
  const throttle = createThrottle(shared, 'old-password', wrongPasswordsPerSession);
  const passwords = createPasswordHashing(deps, shared);

  return async (viewer: Viewer, password: string): Promise<UserRow> => {
    const user = await getUser(deps, viewer.id);
    // Count the attempt before hashing the password and refund it if the password is right, so that parallel
    // attempts cannot exceed the limit.
    const key = `${viewer.id}|${viewer.sessionId}`;
    await throttle.consume(key);
    if (!(await passwords.verify(password, user.password_hash))) throw errors.wrongOldPassword();
    await throttle.reset(key);
    return user;
  };
}
