/**
 * Deletes photos permanently. The rows of a photo are deleted in one transaction, and the maintenance run later deletes
 * its objects.
 */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { queueRemovals } from '../../../platform/db/removals.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { deletePhotoComments } from '../../comments/delete.ts';
import { listImageObjectNames } from '../../delivery/objects.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { lockPhoto, lockPhotos, lockPhotoToMove } from '../../library/locks.ts';
import { deletePhotoRows } from '../../library/set-visibility.ts';
import { auditActOnOthers } from '../../moderation/audit.ts';
import { removeNotifications } from '../../notifications/notify.ts';
import { refundQuota } from '../upload/quota.ts';

/**
 * Decides about the locked row, because the photo may just have been restored. Throws an error or returns false to keep
 * the photo.
 */
export type PurgeCondition = (photo: PhotoRow | undefined) => boolean;

/**
 * Maximum number of comments that are deleted together with the photo. If there are more, batches of this size are
 * deleted first.
 */
const maxComments = 1000;

/**
 * Value of `delete_time` while the comments of a photo are being deleted. The photo can no longer be restored, and
 * after a crash the next maintenance run continues.
 */
export const purgingDeleteTime = 0;

/**
 * Deletes a photo permanently, if `mayPurge` allows it. `viewer` is the user who requested the deletion, and undefined
 * for the maintenance run.
 */
export async function purgePhoto(
  deps: Deps,
  photoId: number,
  mayPurge: PurgeCondition,
  viewer?: Viewer,
): Promise<void> {
  while (await purgeSomeComments(deps, photoId, mayPurge)) {
    // Each batch of comments is a separate transaction, so that other writers do not wait long.
  }
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhotoToMove(deps, transaction, photoId);
    if (!mayPurge(photo) || !photo) return;
    await removeLocked(deps, transaction, [photo]);
    if (!viewer) return;
    await auditActOnOthers(deps, transaction, viewer, photo, {
      action: 'photo.purge',
      target: { type: 'photo', id: photoId, name: photo.title },
    });
  });
}

/**
 * Maximum number of photos per transaction, and of rows that depend on them, because other writers wait for its locks.
 */
const photosAtOnce = 50;
const rowsAtOnce = 1000;
/**
 * Maximum number of objects per statement. A photo can have dozens of versions with a dozen objects each, and the
 * number of parameters is limited.
 */
const objectsAtOnce = 5000;

/**
 * Deletes photos of an account that is being deleted, as many as one short transaction allows. One transaction per
 * photo would take hours for a large account. Returns the number of deleted photos.
 */
export async function purgeAccountPhotos(deps: Deps, userId: number): Promise<number> {
  const found = await deps.db.kysely
    .selectFrom('photos')
    .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
    .select(['photos.id', sql<number>`comments + likes + favorites`.as('rows')])
    .where('photos.user_id', '=', userId)
    .limit(photosAtOnce)
    .execute();
  const [first] = found;
  if (!first) return 0;
  if (first.rows > rowsAtOnce) {
    // A photo with very many comments is deleted alone, because most of its comments must be deleted first.
    await purgePhoto(deps, first.id, () => true);
    return 1;
  }
  let rows = 0;
  const some: number[] = [];
  for (const photo of found) {
    rows += photo.rows;
    if (rows > rowsAtOnce) break;
    some.push(photo.id);
  }
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await deps.db.lock(transaction, { library: userId });
    await removeLocked(deps, transaction, await lockPhotos(transaction, some));
  });
  return some.length;
}

/** Deletes photos of one owner. The caller has locked the photos and their library. */
async function removeLocked(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  photos: Pick<PhotoRow, 'id' | 'user_id' | 'album_id' | 'visibility'>[],
): Promise<void> {
  const [first] = photos;
  if (!first) return;
  const ids = idsOf(photos);
  const images = await transaction
    .selectFrom('images')
    .selectAll()
    .where('photo_id', 'in', ids)
    .orderBy('key')
    // If a size is rendered at the same time, its renderer finds no row afterwards and removes the object.
    .forUpdate()
    .execute();
  const objects = images.flatMap(listImageObjectNames);
  for (let at = 0; at < objects.length; at += objectsAtOnce) {
    await queueRemovals(transaction, objects.slice(at, at + objectsAtOnce), deps.clock());
  }
  // Locks are taken in the same order as by an upload: photos, owner, tags, totals.
  await refundQuota(transaction, first.user_id, images);
  await removeNotifications(transaction, (query) => query.where('photo_id', 'in', ids));
  await deletePhotoRows(deps, transaction, photos);
}

/**
 * Deletes a batch of a photo's comments. Returns true if more comments may remain. The photo is already in the trash,
 * so that no other user sees it half deleted.
 */
async function purgeSomeComments(deps: Deps, photoId: number, mayPurge: PurgeCondition): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, photoId);
    if (photo?.visibility !== Visibility.trash || !mayPurge(photo)) return false;
    const { comments } = await transaction
      .selectFrom('photo_counts')
      .select('comments')
      .where('photo_id', '=', photoId)
      .executeTakeFirstOrThrow();
    if (comments <= maxComments) return false;
    await transaction
      .updateTable('photos')
      .set({ delete_time: purgingDeleteTime })
      .where('id', '=', photoId)
      .execute();
    // The result does not depend on the stored count, because a wrong count would cause an endless loop.
    return (await deletePhotoComments(transaction, photoId, maxComments)) > 0;
  });
}
