/** Who may have an account: everybody, by invite, or by the one-time link of a gallery without an admin. */
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { Shared } from '../../../platform/http/shared.ts';
import { createSetup } from '../setup.ts';
import { checkInvite } from './invites.ts';

/** Invites a minute of one address. They cannot be guessed; this keeps those who try from costing anything. */
const perAddress = 10;

/** What the link that somebody came by proves. */
export interface JoinLink {
  invite?: string | undefined;
  /** The code of the link of the first admin. */
  setup?: string | undefined;
}

/**
 * Before anything costs much. What it makes throws registrationClosed, forbidden (the setup link) or tooManyRequests.
 * `email` undefined: it is not known yet whose account it will be.
 */
export function createCheckMayJoin(deps: Deps, shared: Shared) {
  const throttle = createThrottle(shared, 'invite-address', perAddress);
  const setup = createSetup(deps, shared);

  return async (
    { setup: code, invite, email }: JoinLink & { email?: string },
    address: string,
  ): Promise<void> => {
    const { registration } = deps.config;
    if (code !== undefined) return setup.check(code, address);
    if (registration === 'closed') throw errors.registrationClosed({ message: 'Registration is closed' });
    if (invite === undefined) {
      if (registration === 'invite')
        throw errors.registrationClosed({ message: 'Registration needs an invite' });
      return;
    }
    await throttle.consume(address);
    await checkInvite(deps, invite, email);
    await throttle.refund(address);
  };
}
