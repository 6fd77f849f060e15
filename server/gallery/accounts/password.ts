/** Changes passwords. A new password ends all other sessions. */
import type { Deps } from '../../deps.ts';
import type { Transaction, UserRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Language } from '../../platform/http/language.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { createPasswordHashing } from '../identity/passwords.ts';
import { deleteSessions } from '../identity/sessions.ts';
import { lockEnabledUser } from '../identity/users.ts';
import type { Viewer } from '../identity/viewer.ts';
import { queueMail } from '../mail/outbox.ts';
import { recordOwnAccountAct, refuseManyActs } from '../moderation/audit.ts';
import { createConfirmPassword } from './confirm.ts';
import { countApiKeys } from './keys/api-keys.ts';
import {
  noRevokedCredentials,
  type RevokedCredentialCounts,
  revokeCredentials,
  toRevokedCredentialDetails,
} from './keys/revoke-access.ts';
import { deleteAccountLinks } from './links.ts';
import { checkNewPassword } from './password-rules.ts';
import type { PasswordChange } from './schema.ts';

/**
 * Returns a function that changes the viewer's password. The function returns the number of remaining API keys and
 * the revoked credentials. Throws wrongOldPassword, invalid for a new password that the rules refuse, or
 * tooManyRequests.
 */
export function createChangePassword(deps: Deps, shared: SharedLimits) {
  const confirm = createConfirmPassword(deps, shared);
  const passwords = createPasswordHashing(deps, shared);

  return async (
    viewer: Viewer,
    change: PasswordChange,
    language: Language,
  ): Promise<{ left: number; ended: RevokedCredentialCounts }> => {
    const { old_password, new_password, end_keys } = change;
    const user = await confirm(viewer, old_password);
    await checkNewPassword(deps, new_password, user, 'new_password');
    const passwordHash = await passwords.hash(new_password);
    return deps.db.kysely.transaction().execute(async (transaction) => {
      await lockIfPasswordUnchanged(transaction, user);
      await refuseManyActs(deps, transaction, viewer.id, 'user.update');
      await savePassword(transaction, viewer.id, passwordHash, viewer.sessionId);
      const ended = end_keys
        ? await revokeCredentials(deps, transaction, viewer.id, language)
        : noRevokedCredentials;
      const details = { password: true, ...toRevokedCredentialDetails(ended) };
      await recordOwnAccountAct(deps, transaction, viewer.id, 'user.update', details);
      await notifyPasswordChange(deps, transaction, user, language);
      const left = (await countApiKeys(transaction, [viewer.id], deps.clock())).get(viewer.id) ?? 0;
      return { left, ended };
    });
  };
}

/**
 * Locks the account and throws wrongOldPassword if its password changed after the given one was checked. A password
 * change may also have ended the session.
 */
export async function lockIfPasswordUnchanged(
  transaction: Transaction,
  { id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<void> {
  const now = await lockEnabledUser(transaction, id);
  if (now?.password_hash !== password_hash) throw errors.wrongOldPassword();
}

export function notifyPasswordChange(
  deps: Deps,
  transaction: Transaction,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  language: Language,
): Promise<void> {
  return queueMail(deps, transaction, { kind: 'password_changed', receiver: email, language, user_id: id });
}

/**
 * Stores a password and revokes all links and all sessions, except `exceptSessionId` if given. Also deletes an
 * unconfirmed second factor, which the owner of the old password started.
 */
export async function savePassword(
  transaction: Transaction,
  userId: number,
  passwordHash: string,
  exceptSessionId?: number,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute();
  await deleteAccountLinks(transaction, userId);
  await transaction.deleteFrom('factors').where('user_id', '=', userId).where('is_on', '=', 0).execute();
  await deleteSessions(transaction, userId, exceptSessionId);
}
