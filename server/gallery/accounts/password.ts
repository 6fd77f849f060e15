/** Changing a password ends every other session. */
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Shared } from '../../platform/http/shared.ts';
import { createConfirm } from './confirm.ts';
import { endKeys, keyCounts } from './keys/api-keys.ts';
import { createPasswords } from './passwords.ts';
import type { ChangePassword } from './schema.ts';
import { endSessions } from './sessions/sessions.ts';
import { lockEnabled } from './store.ts';
import type { Viewer } from './viewer.ts';

/**
 * What it makes returns how many API keys remain. Throws wrongOldPassword when the old password is wrong,
 * tooManyRequests after too many tries.
 */
export function createChangePassword(deps: Deps, shared: Shared) {
  const confirm = createConfirm(deps, shared);
  const passwords = createPasswords(deps, shared);

  return async (viewer: Viewer, change: ChangePassword): Promise<number> => {
    const { old_password, new_password, end_keys } = change;
    const user = await confirm(viewer, old_password);
    const passwordHash = await passwords.hash(new_password);
    return deps.db.kysely.transaction().execute(async (transaction) => {
      // It may have been changed, and this session ended, while the new one was hashed.
      const now = await lockEnabled(transaction, viewer.id);
      if (now?.password_hash !== user.password_hash) throw errors.wrongOldPassword();
      await putPassword(transaction, viewer.id, passwordHash, viewer.sessionId);
      if (end_keys) await endKeys(transaction, viewer.id);
      return (await keyCounts(transaction, [viewer.id], deps.clock())).get(viewer.id) ?? 0;
    });
  };
}

/** Sets a password and ends all sessions but, perhaps, one. */
export async function putPassword(
  transaction: Transaction,
  userId: number,
  passwordHash: string,
  keepSessionId?: number,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute();
  await endSessions(transaction, userId, keepSessionId);
}
