/**
 * Checks who may create an account: everyone, invited people, or the holder of the setup link of a gallery without
 * an admin.
 */
import type { SiteAccess } from '../../../config.ts';
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { readSiteSettings } from '../../identity/site-settings.ts';
import { createFinishSetup } from '../setup.ts';
import { checkInvite } from './invites.ts';

/**
 * Maximum number of invites that one IP address can try per minute. Nobody can guess an invite, but the limit bounds
 * the cost of trying.
 */
const invitesPerAddress = 10;

/** Invite or setup code from the link through which a person came to the registration. */
export interface RegistrationLink {
  invite?: string | undefined;
  /** Code of the setup link, which creates the first admin. */
  setup?: string | undefined;
  /** Answer of the first admin to who can see the gallery. */
  access?: SiteAccess | undefined;
}

/**
 * Returns a function that checks whether a person may register, before any expensive work. `email` is undefined if
 * the person's email address is not known yet. The function throws registrationClosed, forbidden for an invalid setup
 * link, or tooManyRequests.
 */
export function createCheckCanRegister(deps: Deps, shared: SharedLimits) {
  const throttle = createThrottle(shared, 'invite-address', invitesPerAddress);
  const setup = createFinishSetup(deps, shared);

  return async (
    { setup: code, invite, email }: RegistrationLink & { email?: string },
    address: string,
  ): Promise<void> => {
    if (code !== undefined) return setup.check(code, address);
    const { registration } = await readSiteSettings(deps.config, deps.db.kysely);
    if (registration === 'closed') throw errors.registrationClosed({ message: 'Registration is closed' });
    if (invite === undefined) {
      if (registration === 'invite')
        throw errors.registrationClosed({ message: 'Registration needs an invite. Ask an admin for one.' });
      return;
    }
    await throttle.consume(address);
    await checkInvite(deps, invite, email);
    await throttle.refund(address);
  };
}
