/** Hides an account's photos, many at a time: what nobody may see any longer must not wait for its bytes to go. */

import type { Deps } from '../../../deps.ts';
import type { Visibility } from '../../../platform/db/tables.ts';
import { addToAlbum, countsBetween } from '../../library/counts.ts';
import { chunkSize, lockPhotos } from '../../library/place.ts';
import { addToTotals } from '../../library/visibility.ts';
import { closeReports } from '../../moderation/report-close.ts';

/** Puts a chunk into the trash, from where they are purged. Returns how many. */
export async function hidePhotos(deps: Deps, userId: number): Promise<number> {
  const { db } = deps;
  return db.kysely.transaction().execute(async (transaction) => {
    await db.lockLibrary(transaction, userId);
    const found = await transaction
      .selectFrom('photos')
      .select('id')
      .where('user_id', '=', userId)
      .where('visibility', 'in', [1, 2])
      .limit(chunkSize)
      .execute();
    if (found.length === 0) return 0;
    const photos = await lockPhotos(
      deps,
      transaction,
      found.map(({ id }) => id),
    );
    const ids = photos.map(({ id }) => id);
    await transaction
      .updateTable('photos')
      .set({ visibility: 0, delete_time: deps.clock() })
      .where('id', 'in', ids)
      .execute();
    for (const { album_id, visibility } of photos) {
      await addToAlbum(transaction, album_id, countsBetween(visibility, 0));
    }
    await transaction.updateTable('photo_tags').set({ visibility: 0 }).where('photo_id', 'in', ids).execute();
    const changes: Record<Visibility, number> = { 0: photos.length, 1: 0, 2: 0 };
    for (const { visibility } of photos) changes[visibility as Visibility]--;
    await addToTotals(transaction, userId, changes);
    for (const id of ids) await db.search.remove(transaction, { id, user_id: userId });
    const outcome = { action: 'delete', note: '', handler: '' } as const;
    await closeReports(deps, transaction, { type: 'photo', ids }, outcome);
    return photos.length;
  });
}
