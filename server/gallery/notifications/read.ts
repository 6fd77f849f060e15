/** Marks notifications as read. */

import type { Deps } from '../../deps.ts';
import type { Viewer } from '../accounts/viewer.ts';

/** `ids` undefined: all of them. Ids of other users' notifications are ignored, as if they did not exist. */
export async function markRead({ db }: Deps, viewer: Viewer, ids: number[] | undefined): Promise<void> {
  await db.kysely
    .updateTable('notifications')
    .set(({ ref }) => ({ is_read: 1, notices_read: ref('notices') }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', viewer.id)
        .where((is) => is('is_read', '=', is.lit(0)))
        .$if(ids !== undefined, (some) => some.where('id', 'in', ids!))
        // In one order, so that two requests that mark the same ones cannot deadlock.
        .orderBy('id')
        .forUpdate(),
    )
    .execute();
}
