/** Creates the first admin from the settings. Registering first never makes an account an admin. */

import type { Deps } from '../../deps.ts';
import { UserStatus } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { ApiError, errors } from '../../platform/errors/catalogue.ts';
import { StartError } from '../../platform/errors/start.ts';
import { hashPassword } from '../identity/passwords.ts';
import { commandLineActor, recordAuditedAct } from '../moderation/audit.ts';
import { findPasswordProblem } from './password-rules.ts';
import { findUserByLogin, insertUser } from './store.ts';

/**
 * Creates the admin account of the ADMIN_* settings unless the account exists. Later starts change neither the
 * account nor its password.
 */
export async function ensureConfiguredAdmin(deps: Deps): Promise<void> {
  const { admin, passwordCosts } = deps.config;
  if (!admin) return;
  const present = await findUserByLogin(deps, admin.username);
  if (present) return warnUnlessAdmin(deps, present);
  const problem = await findPasswordProblem(deps, admin.password, admin);
  if (problem !== undefined)
    throw new StartError(`ADMIN_PASSWORD is too weak for PASSWORD_RULES=strict: ${problem}.`);
  const passwordHash = await hashPassword(admin.password, passwordCosts);
  try {
    await deps.db.kysely.transaction().execute(async (transaction) => {
      const { username, email } = admin;
      const made = await insertUser(deps, { username, email, passwordHash, isAdmin: true }, transaction);
      // The audit log names the command line as the actor, because a person who can write the settings can also use
      // the command line.
      await recordAuditedAct(deps, transaction, commandLineActor, {
        action: 'user.create',
        target: { type: 'user', id: made.id, name: made.username },
        details: { is_admin: true, settings: true },
      });
    });
  } catch (error) {
    // Another process that starts at the same time may have created the admin account.
    if (await findUserByLogin(deps, admin.username)) return;
    if (error instanceof ApiError) throw new StartError(describeRefusal(admin, error));
    throw error;
  }
  deps.log.info({ username: admin.username }, 'created the admin account');
}

/**
 * Warns if the configured name belongs to an account that is no admin. Another user may have registered the name
 * before.
 */
function warnUnlessAdmin({ log }: Deps, { username, is_admin, status }: UserRow): void {
  if (is_admin && status === UserStatus.enabled) return;
  const state = is_admin ? 'disabled' : 'not an admin';
  log.warn(
    { username },
    `ADMIN_USERNAME names an existing account that is ${state}; the account was not changed. If ` +
      'the account is yours, run lightwell user promote, user enable or user password. Otherwise ' +
      'choose another ADMIN_USERNAME',
  );
}

function describeRefusal({ username, email }: { username: string; email: string }, error: ApiError): string {
  if (error.code !== errors.emailTaken().code)
    return `Cannot create the admin account ${username}: ${error.message}`;
  return (
    `Cannot create the admin account ${username}: another account uses the email ${email}. Choose ` +
    'another ADMIN_EMAIL. Or find the account with "lightwell user list", and make it an admin ' +
    'with "lightwell user promote".'
  );
}
