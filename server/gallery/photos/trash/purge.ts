/** Deletes a photo permanently: its rows go in one transaction, its objects when the sweep carries the removals out. */

import type { Deps } from '../../../deps.ts';
import { queueRemovals } from '../../../platform/db/removals.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { PhotoRow } from '../../../platform/db/tables.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { clearComments } from '../../comments/delete.ts';
import { objectsOf } from '../../delivery/objects.ts';
import { lockPhoto, lockPhotoToMove } from '../../library/locks.ts';
import { removePhoto } from '../../library/set-visibility.ts';
import { auditIfOthers } from '../../moderation/audit.ts';
import { removeNotifications } from '../../notifications/notify.ts';
import { refundQuota } from '../upload/quota.ts';

/** Asked of the locked row: a photo that has just been restored stays. May throw instead. */
export type MayPurge = (photo: PhotoRow | undefined) => boolean;

/** As many comments go with the photo's row; where there are more, so many at a time go before it. */
const maxComments = 1000;

/** The `delete_time` of a photo whose comments are going: it cannot be restored, and the next sweep would go on. */
export const purging = 0;

/**
 * Does nothing when there is no such photo, or when it may not go. `viewer`: the user who asks; undefined for the
 * sweep.
 */
export async function purgePhoto(
  deps: Deps,
  photoId: number,
  mayPurge: MayPurge,
  viewer?: Viewer,
): Promise<void> {
  const { db, clock } = deps;
  while (await thinOut(deps, photoId, mayPurge)) {
    // Other writers get in between.
  }
  await db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhotoToMove(deps, transaction, photoId);
    if (!mayPurge(photo) || !photo) return;
    const images = await transaction
      .selectFrom('images')
      .selectAll()
      .where('photo_id', '=', photoId)
      // A size that is made at this moment finds no row afterwards, and is removed by who made it.
      .forUpdate()
      .execute();
    await queueRemovals(transaction, images.flatMap(objectsOf), clock());
    // The original and its edited versions: the owner gets them back.
    const bytes = images.reduce((sum, { size }) => sum + size, 0);
    // Photo, owner, tags, totals: the order in which an upload takes them too.
    await refundQuota(transaction, photo.user_id, bytes);
    await removeNotifications(transaction, (query) => query.where('photo_id', '=', photoId));
    await removePhoto(deps, transaction, photo);
    if (!viewer) return;
    await auditIfOthers(deps, transaction, viewer, photo, {
      action: 'photo.purge',
      target: { type: 'photo', id: photoId, name: photo.title },
    });
  });
}

/**
 * Returns whether there may be more to do. The photo is in the trash already, so no other user sees it half deleted.
 */
async function thinOut(deps: Deps, photoId: number, mayPurge: MayPurge): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, photoId);
    if (photo?.visibility !== Visibility.trash || photo.comments <= maxComments || !mayPurge(photo))
      return false;
    await transaction.updateTable('photos').set({ delete_time: purging }).where('id', '=', photoId).execute();
    await clearComments(transaction, photoId, maxComments);
    return true;
  });
}
