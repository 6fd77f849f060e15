/** Sets the rate limit of an API key on behalf of an admin. */
import type { Deps } from '../../../deps.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { type ApiKeyRow, presentKey } from '../../accounts/keys/api-keys.ts';
import { lockUserAndAdmins, refuseFormerAdmin } from '../../accounts/last-admin.ts';
import { type Actor, recordAuditedAct } from '../../moderation/audit.ts';

/** Sets the limit and returns the key's row. Throws notFound. */
export async function setKeyRateLimit(
  deps: Deps,
  actor: Actor,
  id: number,
  limit: number | null,
): Promise<ApiKeyRow> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const key = transaction.selectFrom('api_keys').selectAll().where('id', '=', id);
    const { user_id: owner } = await key.executeTakeFirstOrThrow(() => errors.notFound());
    const locked = await lockUserAndAdmins(transaction, owner);
    refuseFormerAdmin(locked, actor);
    // The key may have been deleted while the transaction waited for the locks.
    const { rate_limit: before } = await key.executeTakeFirstOrThrow(() => errors.notFound());
    const row = await transaction
      .updateTable('api_keys')
      .set({ rate_limit: limit })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(() => errors.notFound());
    if (before !== limit)
      await recordAuditedAct(deps, transaction, actor, {
        action: 'key.update',
        target: { type: 'user', id: owner, name: locked.user.username },
        details: { key: id, rate_limit: limit },
      });
    return row;
  });
}

/** Returns an API key as admins see it. */
export function presentAdminKey(row: ApiKeyRow) {
  return { ...presentKey(row), rate_limit: row.rate_limit };
}
