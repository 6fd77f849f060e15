/** Creates accounts: by open registration, by invite, or by the setup link of a gallery without an admin. */
import type { Deps } from '../../../deps.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';
import { createPasswordHashing } from '../../identity/passwords.ts';
import { recordOwnAccountAct } from '../../moderation/audit.ts';
import { checkNewPassword } from '../password-rules.ts';
import type { RegistrationRequest } from '../schema.ts';
import { createFinishSetup } from '../setup.ts';
import { insertUser, type NewUser, refuseTakenAccountNames } from '../store.ts';
import { createCheckCanRegister } from './can-register.ts';
import { consumeInvite } from './invites.ts';

/**
 * Returns a function that registers an account. The function throws invalid for the password, registrationClosed,
 * forbidden for the setup link, usernameTaken, emailTaken or tooManyRequests. A person who may not register learns
 * nothing about taken names.
 */
export function createRegisterAccount(deps: Deps, shared: SharedLimits) {
  const checkMayJoin = createCheckCanRegister(deps, shared);
  const passwords = createPasswordHashing(deps, shared);
  const setup = createFinishSetup(deps, shared);

  function makeAccount(
    { setup: code, access, invite }: RegistrationRequest,
    user: NewUser,
  ): Promise<UserRow> {
    if (code !== undefined) return setup.makeAdmin({ code, access }, user);
    return registerWithInvite(deps, invite, user);
  }

  return async (given: RegistrationRequest, address: string): Promise<UserRow> => {
    if (!deps.config.passwordLogin)
      throw errors.registrationClosed({
        message: 'This gallery creates accounts only by its sign-in provider. Sign in there.',
      });
    await checkMayJoin(given, address);
    const { username, email, password } = given;
    await checkNewPassword(deps, password, { username, email });
    await refuseTakenAccountNames(deps, username, email);
    const passwordHash = await passwords.hash(password);
    return makeAccount(given, { username, email, passwordHash });
  };
}

function registerWithInvite(deps: Deps, invite: string | undefined, user: NewUser): Promise<UserRow> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const id = invite === undefined ? undefined : await consumeInvite(deps, transaction, invite, user.email);
    const made = await insertUser(deps, user, transaction);
    await recordOwnAccountAct(
      deps,
      transaction,
      made.id,
      'user.create',
      id === undefined ? {} : { invite: id },
    );
    return made;
  });
}
