/** Hides an account's photos, many at a time, before their bytes are deleted, which takes longer. */

import type { Deps } from '../../../deps.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { Visibility } from '../../../platform/db/states.ts';
import { chunkSize, lockPhotos } from '../../library/locks.ts';
import { setVisibility } from '../../library/set-visibility.ts';
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
      .where('visibility', 'in', [Visibility.private, Visibility.public])
      .limit(chunkSize)
      .execute();
    if (found.length === 0) return 0;
    const photos = await lockPhotos(transaction, idsOf(found));
    const ids = idsOf(photos);
    await setVisibility(deps, transaction, photos, Visibility.trash);
    const outcome = { action: 'delete', note: '', handler: '' } as const;
    await closeReports(deps, transaction, { type: 'photo', ids }, outcome);
    return photos.length;
  });
}
