/** Deletes photos permanently: their rows go in one transaction, their objects when the sweep carries the removals out. */

import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { queueRemovals } from '../../../platform/db/removals.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { clearComments } from '../../comments/delete.ts';
import { objectsOf } from '../../delivery/objects.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { lockPhoto, lockPhotos, lockPhotoToMove } from '../../library/locks.ts';
import { removePhotos } from '../../library/set-visibility.ts';
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
  while (await thinOut(deps, photoId, mayPurge)) {
    // Other writers get in between.
  }
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhotoToMove(deps, transaction, photoId);
    if (!mayPurge(photo) || !photo) return;
    await removeLocked(deps, transaction, [photo]);
    if (!viewer) return;
    await auditIfOthers(deps, transaction, viewer, photo, {
      action: 'photo.purge',
      target: { type: 'photo', id: photoId, name: photo.title },
    });
  });
}

/** So many photos go in one transaction, with so many rows that hang on them: others wait for its locks. */
const photosAtOnce = 50;
const rowsAtOnce = 1000;
/** A photo may have dozens of versions, each of a dozen objects; a statement's parameters are limited. */
const objectsAtOnce = 5000;

/**
 * Of an account that is being deleted, whose photos nobody sees any longer: as many as one short transaction takes. In
 * one of its own each, a large account's took a busy machine hours. Returns how many went.
 */
export async function purgeSome(deps: Deps, userId: number): Promise<number> {
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
    // Of very many comments most go before.
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

/** Photos of one owner, locked with their library. */
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
    // A size that is made at this moment finds no row afterwards, and is removed by who made it.
    .forUpdate()
    .execute();
  const objects = images.flatMap(objectsOf);
  for (let at = 0; at < objects.length; at += objectsAtOnce) {
    await queueRemovals(transaction, objects.slice(at, at + objectsAtOnce), deps.clock());
  }
  // Photos, owner, tags, totals: the order in which an upload locks them, too.
  await refundQuota(transaction, first.user_id, images);
  await removeNotifications(transaction, (query) => query.where('photo_id', 'in', ids));
  await removePhotos(deps, transaction, photos);
}

/**
 * Returns whether there may be more to do. The photo is in the trash already, so no other user sees it half deleted.
 */
async function thinOut(deps: Deps, photoId: number, mayPurge: MayPurge): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, photoId);
    if (photo?.visibility !== Visibility.trash || !mayPurge(photo)) return false;
    const { comments } = await transaction
      .selectFrom('photo_counts')
      .select('comments')
      .where('photo_id', '=', photoId)
      .executeTakeFirstOrThrow();
    if (comments <= maxComments) return false;
    await transaction.updateTable('photos').set({ delete_time: purging }).where('id', '=', photoId).execute();
    // Whatever the photo's count says: where there is none, it would never end.
    return (await clearComments(transaction, photoId, maxComments)) > 0;
  });
}
