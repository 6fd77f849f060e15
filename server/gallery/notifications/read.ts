/** Marks notifications as read. */

import type { Deps } from '../../deps.ts';
import type { Viewer } from '../accounts/viewer.ts';

/** `ids` undefined: all of them. Those of other people are passed over as if they did not exist. */
export async function markRead({ db }: Deps, viewer: Viewer, ids: number[] | undefined): Promise<void> {
  await db.kysely
    .updateTable('notifications')
    .set((line) => ({ is_read: 1, notices_read: line.ref('notices') }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', viewer.id)
        .where((is) => is('is_read', '=', is.lit(0)))
        .$if(ids !== undefined, (some) => some.where('id', 'in', ids!))
        // In one order: two that mark the same ones at once must not wait for each other.
        .orderBy('id')
        .modifyEnd(db.rowLock),
    )
    .execute();
}
