/** Changing what a link allows. */

import type { Deps } from '../../deps.ts';
import type { createPasswords } from '../identity/passwords.ts';
import type { Viewer } from '../identity/viewer.ts';
import { auditIfOthers } from '../moderation/audit.ts';
import { rulesOf, type ShareRules } from './create.ts';
import { getOwnShare } from './store.ts';

/** Rules left out stay. Another password ends what the old one opened. Throws shareNotFound or forbidden. */
export async function updateShare(
  deps: Deps & { passwords: ReturnType<typeof createPasswords> },
  viewer: Viewer,
  id: number,
  rules: ShareRules,
): Promise<void> {
  // Before a password is hashed, so that a refusal does not cost that.
  await getOwnShare(viewer, deps.db.kysely, id);
  const changed = await rulesOf(deps, rules);
  // What this process has counted counts towards a limit from now on.
  await deps.db.counters.flush();
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const share = await getOwnShare(viewer, transaction, id);
    if (Object.keys(changed).length > 0) {
      await transaction.updateTable('shares').set(changed).where('id', '=', id).execute();
    }
    await auditIfOthers(deps, transaction, viewer, share, {
      action: 'share.update',
      target: { type: 'share', id, name: share.type },
    });
  });
}
