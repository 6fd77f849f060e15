/** Ends all sessions of an account without disabling the account or changing its password. */
import type { Deps } from '../../../deps.ts';
import { lockUserAndAdmins, refuseFormerAdmin } from '../../accounts/last-admin.ts';
import { deleteSessions } from '../../identity/sessions.ts';
import { type Actor, recordAuditedAct } from '../../moderation/audit.ts';

/** Ends all sessions of an account but no API keys. Throws userNotFound. */
export async function endUserSessions(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const locked = await lockUserAndAdmins(transaction, id);
    refuseFormerAdmin(locked, actor);
    const sessions_ended = await deleteSessions(transaction, id);
    await recordAuditedAct(deps, transaction, actor, {
      action: 'user.update',
      target: { type: 'user', id, name: locked.user.username },
      details: { sessions_ended },
    });
  });
}
