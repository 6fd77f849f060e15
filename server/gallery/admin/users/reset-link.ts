/** Creates a link with which the owner of an account can choose a new password, without mail. */
import type { Deps } from '../../../deps.ts';
import { lockUserAndAdmins, refuseFormerAdmin } from '../../accounts/last-admin.ts';
import { createOneTimeLink, oneTimeLinkLifetime } from '../../accounts/links.ts';
import { refuseIfPasswordsAreOff } from '../../accounts/sessions/sign-in.ts';
import { type Actor, recordAuditedAct } from '../../moderation/audit.ts';

/**
 * Creates a reset link and returns its token. Throws userNotFound, or forbidden if password sign-in is turned off.
 */
export async function createPasswordResetLink(deps: Deps, actor: Actor, id: number): Promise<string> {
  refuseIfPasswordsAreOff(
    deps,
    'Signing in with a password is turned off in this gallery (PASSWORD_LOGIN=0), so a reset link ' +
      'would not work',
  );
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const locked = await lockUserAndAdmins(transaction, id);
    refuseFormerAdmin(locked, actor);
    const expire_time = deps.clock() + oneTimeLinkLifetime;
    const token = await createOneTimeLink(deps, transaction, { kind: 'reset', user_id: id, expire_time });
    await recordAuditedAct(deps, transaction, actor, {
      action: 'user.update',
      target: { type: 'user', id, name: locked.user.username },
      details: { reset_link: true },
    });
    return token;
  });
}
