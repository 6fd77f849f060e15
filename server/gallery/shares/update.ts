/** Changes the settings of a share link. */

import type { Deps } from '../../deps.ts';
import type { createPasswordHashing } from '../identity/passwords.ts';
import type { Viewer } from '../identity/viewer.ts';
import { type ShareRules, toShareColumns } from './create.ts';
import { getManageableShare } from './store.ts';

/**
 * Updates the given settings of a link. A new password invalidates the access tokens of the old one. Throws
 * shareNotFound or forbidden.
 */
export async function updateShare(
  deps: Deps & { passwords: ReturnType<typeof createPasswordHashing> },
  viewer: Viewer,
  id: number,
  rules: ShareRules,
): Promise<void> {
  // Permissions are checked before a password is hashed, because hashing is expensive.
  await getManageableShare(viewer, deps.db.kysely, id);
  const changed = await toShareColumns(deps, rules);
  // Views counted in memory are written first, because a new limit of views must include them.
  await deps.db.counters.flush();
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await getManageableShare(viewer, transaction, id);
    if (Object.keys(changed).length > 0) {
      await transaction.updateTable('shares').set(changed).where('id', '=', id).execute();
    }
  });
}
