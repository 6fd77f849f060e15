/** Changing a password ends every other session. */
import type { Transaction } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import type { ChangePassword } from './schema.ts';
import { endSessions } from './sessions.ts';
import { getUser } from './store.ts';
import type { Viewer } from './viewer.ts';

/** Throws 10005 when the old password is wrong. */
export async function changePassword(deps: Deps, viewer: Viewer, change: ChangePassword): Promise<void> {
  const user = await getUser(deps, viewer.id);
  if (!(await verifyPassword(change.old_password, user.password_hash))) throw errors.wrongOldPassword();
  const passwordHash = await hashPassword(change.new_password);
  await deps.db.kysely
    .transaction()
    .execute((transaction) => putPassword(transaction, viewer.id, passwordHash, viewer.sessionId));
}

/** Sets a password and ends all sessions but, perhaps, one. */
export async function putPassword(
  transaction: Transaction<Tables>,
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
