/** Creates a link with which the owner of an account can choose a new password, without mail. */
import type { Deps } from '../../../deps.ts';
import { lockAmongAdmins, refuseFormerAdmin } from '../../accounts/last-admin.ts';
import { createLink, linkLifetime } from '../../accounts/links.ts';
import { refuseIfPasswordsAreOff } from '../../accounts/sessions/sign-in.ts';
import { type Actor, recordAct } from '../../moderation/audit.ts';

/**
 * Creates a reset link and returns its token. Throws userNotFound, or forbidden if password sign-in is turned off.
 */
export async function makeResetLink(deps: Deps, actor: Actor, id: number): Promise<string> {
  refuseIfPasswordsAreOff(
    deps,
    'Signing in with a password is turned off in this gallery (PASSWORD_LOGIN=0), so a reset link ' +
      'would not work',
  );
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const locked = await lockAmongAdmins(transaction, id);
    refuseFormerAdmin(locked, actor);
    const expire_time = deps.clock() + linkLifetime;
    const token = await createLink(deps, transaction, { kind: 'reset', user_id: id, expire_time });
    await recordAct(deps, transaction, actor, {
      action: 'user.update',
      target: { type: 'user', id, name: locked.user.username },
      details: { reset_link: true },
    });
    return token;
  });
}
