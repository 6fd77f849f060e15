/** Changing a password ends every other session. */
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
  await setPassword(deps, viewer.id, change.new_password, viewer.sessionId);
}

/** Sets a password and ends all sessions but, perhaps, one. */
export async function setPassword(
  { db }: Deps,
  userId: number,
  password: string,
  keepSessionId?: number,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.kysely.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', userId)
      .execute();
    await endSessions(transaction, userId, keepSessionId);
  });
}
