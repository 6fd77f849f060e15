/**
 * Counts the views of share links. Links with limited views check the limit in the database, and the others collect
 * their views in memory.
 */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { ShareRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';

/** Returns the function that counts a view. The function throws shareNotFound if no views are left. */
export function createCountShareView({ db, clock }: Deps) {
  return async ({ id, max_views }: Pick<ShareRow, 'id' | 'max_views'>): Promise<void> => {
    if (max_views === null) return db.counters.count('shareViews', id, clock());
    const taken = await db.kysely
      .updateTable('shares')
      .set({ views: sql<number>`views + 1`, last_view_time: clock() })
      .where('id', '=', id)
      .where((is) => is.or([is('max_views', 'is', null), is('views', '<', is.ref('max_views'))]))
      .executeTakeFirst();
    if (taken.numUpdatedRows === 0n) throw errors.shareNotFound();
  };
}
