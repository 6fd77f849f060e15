/**
 * Checks the password of a share and returns an access token. Attempts are limited, and right and wrong passwords take
 * the same time.
 */

import type { Deps } from '../../deps.ts';
import { getIpAddressKey } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { createPasswordHashing } from '../identity/passwords.ts';
import { createShareAccess } from './access.ts';
import type { FindShareLink } from './open.ts';
import { createCountShareView } from './views.ts';

/** Maximum number of password attempts per minute for a link from one IP address, including right passwords. */
const attemptsPerLinkAndAddress = 10;
/**
 * Maximum number of password attempts per minute from one IP address over all links. Right passwords count too, because
 * an attacker could mix in the password of a link of their own.
 */
const attemptsPerAddress = 50;
/**
 * Maximum number of wrong password attempts per minute for a link from all IP addresses, because an attacker can have
 * many IP addresses.
 */
const wrongAttemptsPerLink = 100;

/**
 * Returns the function that checks a password and returns an access token. The function throws shareNotFound,
 * sharePassword or tooManyRequests.
 */
export function createUnlockShare(deps: Deps, shared: SharedLimits, findLink: FindShareLink) {
  const narrow = createThrottle(shared, 'unlock-link-address', attemptsPerLinkAndAddress);
  const byAddress = createThrottle(shared, 'unlock-address', attemptsPerAddress);
  const wide = createThrottle(shared, 'unlock-link', wrongAttemptsPerLink);
  const passwords = createPasswordHashing(deps, shared);
  const countView = createCountShareView(deps);

  return async (token: string, password: string, ip: string): Promise<string> => {
    const { share } = await findLink(token);
    const address = getIpAddressKey(ip);
    await narrow.consume(`${share.id}|${address}`);
    if (share.password_hash !== '') {
      // The limits are consumed before hashing and refunded after a right password, so that parallel attempts cannot
      // exceed them.
      await byAddress.consume(address);
      await wide.consume(String(share.id));
      if (!(await passwords.verify(password, share.password_hash))) throw errors.sharePassword();
      await wide.refund(String(share.id));
    }
    if (share.max_views !== null) await countView(share);
    return createShareAccess(share, deps.clock(), deps.secret);
  };
}
