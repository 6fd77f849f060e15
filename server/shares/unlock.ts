/** From a share's password to an access. Tries are few, and cost the same whether they are right or wrong. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { verifyPassword } from '../auth/passwords.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { makeAccess } from './access.ts';
import type { FindLink } from './open.ts';

/** Tries a minute for a link and an address, right ones too. */
const perLinkAndAddress = 10;
/** Wrong tries a minute for a link from everywhere: who guesses has many addresses. It never lasts. */
const perLink = 100;

/** Throws 20007, 20008 or 429. */
export type Unlock = (token: string, password: string, ip: string) => Promise<string>;

export function createUnlock(deps: Deps, findLink: FindLink): Unlock {
  const narrow = new RateLimiterMemory({ points: perLinkAndAddress, duration: 60, keyPrefix: 'unlock' });
  const wide = new RateLimiterMemory({ points: perLink, duration: 60, keyPrefix: 'link' });

  return async (token, password, ip) => {
    const { share } = await findLink(token);
    await spend(narrow, `${share.id}|${ip}`);
    if (share.password_hash !== '') {
      // Taken before the password is hashed and given back when it is right: a burst cannot slip past the count.
      await spend(wide, String(share.id));
      if (!(await verifyPassword(password, share.password_hash))) throw errors.sharePassword();
      await wide.reward(String(share.id), 1);
    }
    return makeAccess(share.token, deps.clock(), deps.secret);
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (state) {
    if (state instanceof Error) throw state;
    const retryAfter = Math.max(1, Math.ceil((state as RateLimiterRes).msBeforeNext / 1000));
    throw errors.tooManyRequests({ message: 'Too many tries, please wait', retryAfter });
  }
}
