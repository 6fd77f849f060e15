/** Making an account: by everybody, by invite, or by the one-time link of a gallery without an admin. */
import type { Deps } from '../../../deps.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { createThrottle } from '../../../platform/http/rate-limiters.ts';
import type { Shared } from '../../../platform/http/shared.ts';
import { auditOwn } from '../../moderation/audit.ts';
import { checkNewPassword } from '../password-rules.ts';
import { createPasswords } from '../passwords.ts';
import type { Register } from '../schema.ts';
import { createSetup } from '../setup.ts';
import { checkFree, insertUser, type NewUser } from '../store.ts';
import { checkInvite, spendInvite } from './invites.ts';

/** Invites a minute of one address. They cannot be guessed; this keeps those who try from costing anything. */
const perAddress = 10;

/**
 * What it makes throws invalid (the password), registrationClosed, forbidden (the setup link), usernameTaken, emailTaken or tooManyRequests. Who
 * may not join does not learn which names are taken.
 */
export function createRegister(deps: Deps, shared: Shared) {
  const throttle = createThrottle(shared, 'invite-address', perAddress);
  const passwords = createPasswords(deps, shared);
  const setup = createSetup(deps, shared);

  async function checkMayJoin({ setup: code, invite, email }: Register, address: string): Promise<void> {
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
  }

  function makeAccount({ setup: code, invite }: Register, user: NewUser): Promise<UserRow> {
    if (code !== undefined) return setup.makeAdmin(code, user);
    return join(deps, invite, user);
  }

  return async (given: Register, address: string): Promise<UserRow> => {
    await checkMayJoin(given, address);
    const { username, email, password } = given;
    checkNewPassword(deps.config, password, { username, email });
    await checkFree(deps, username, email);
    const passwordHash = await passwords.hash(password);
    return makeAccount(given, { username, email, passwordHash });
  };
}

function join(deps: Deps, invite: string | undefined, user: NewUser): Promise<UserRow> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const id = invite === undefined ? undefined : await spendInvite(deps, transaction, invite, user.email);
    const made = await insertUser(deps, user, transaction);
    await auditOwn(deps, transaction, made.id, 'user.create', id === undefined ? {} : { invite: id });
    return made;
  });
}
