/** From a share's password to an access. Tries are few, and cost the same whether they are right or wrong. */

import type { Deps } from '../../deps.ts';
import { addressKey } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { Shared } from '../../platform/http/shared.ts';
import { createPasswords } from '../identity/passwords.ts';
import { makeAccess } from './access.ts';
import type { FindLink } from './open.ts';
import { createCountView } from './views.ts';

/** Tries a minute for a link and an address, right ones too. */
const perLinkAndAddress = 10;
/** Tries a minute of an address for all links. Right passwords count too: the maker of a link knows its password. */
const perAddress = 50;
/** Wrong tries a minute for a link from everywhere: an attacker has many addresses. It never lasts. */
const perLink = 100;

/** What it makes returns an access, and throws shareNotFound, sharePassword or tooManyRequests. */
export function createUnlock(deps: Deps, shared: Shared, findLink: FindLink) {
  const narrow = createThrottle(shared, 'unlock-link-address', perLinkAndAddress);
  const byAddress = createThrottle(shared, 'unlock-address', perAddress);
  const wide = createThrottle(shared, 'unlock-link', perLink);
  const passwords = createPasswords(deps, shared);
  const countView = createCountView(deps);

  return async (token: string, password: string, ip: string): Promise<string> => {
    const { share } = await findLink(token);
    const address = addressKey(ip);
    await narrow.consume(`${share.id}|${address}`);
    if (share.password_hash !== '') {
      // Consumed before the password is hashed and refunded when it is right: a burst cannot slip past the count.
      await byAddress.consume(address);
      await wide.consume(String(share.id));
      if (!(await passwords.verify(password, share.password_hash))) throw errors.sharePassword();
      await wide.refund(String(share.id));
    }
    if (share.max_views !== null) await countView(share);
    return makeAccess(share, deps.clock(), deps.secret);
  };
}
