/**
 * Moves photos to the trash and restores them. A trashed photo disappears from all pages at once and stays in the trash
 * for thirty days.
 */

import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { findMainAlbum } from '../../library/albums.ts';
import { lockPhotoToMove } from '../../library/locks.ts';
import { canManageItem, isTrashed } from '../../library/permissions.ts';
import { setPhotoVisibility } from '../../library/set-visibility.ts';
import { decideVisibility } from '../../library/visibility-rule.ts';
import { auditActOnOthers } from '../../moderation/audit.ts';
import { recordAdminDeletion } from '../../moderation/reports.ts';
import { emitWebhookEvent } from '../../webhooks/emit.ts';
import { purgingDeleteTime } from './purge.ts';

/** Moves a photo to the trash. Throws photoNotFound or photoForbidden. */
export async function trashPhoto(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute((transaction) => trashPhotoIn(deps, transaction, viewer, id));
}

/** Moves a photo to the trash within the caller's transaction. Throws photoNotFound or photoForbidden. */
export async function trashPhotoIn(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const photo = await lockPhotoToMove(deps, transaction, id);
  if (!photo || isTrashed(photo)) throw errors.photoNotFound();
  if (!canManageItem(viewer, photo)) throw errors.photoForbidden();
  await setPhotoVisibility(deps, transaction, [photo], Visibility.trash);
  await emitWebhookEvent(deps, transaction, photo.user_id, {
    type: 'photo.deleted',
    actorId: viewer.id,
    photo,
  });
  await recordAdminDeletion(deps, transaction, viewer, {
    action: 'photo.delete',
    target: { type: 'photo', id, name: photo.title },
    isOwn: photo.user_id === viewer.id,
  });
}

/**
 * Restores a photo from the trash, with its album if that still exists. The photo and its album determine the new
 * visibility. Throws photoForbidden, or photoNotFound, also if the photo is not in the trash.
 */
export async function restorePhoto(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  const { db } = deps;
  await db.kysely.transaction().execute(async (transaction) => {
    const photo = getTrashedPhoto(viewer, await lockPhotoToMove(deps, transaction, id));
    if (photo.delete_time === purgingDeleteTime) throw errors.photoNotFound();
    const visibility = decideVisibility(photo, await findMainAlbum(transaction, photo));
    await setPhotoVisibility(deps, transaction, [photo], visibility);
    await emitWebhookEvent(deps, transaction, photo.user_id, {
      type: 'photo.created',
      actorId: viewer.id,
      photo,
    });
    await auditActOnOthers(deps, transaction, viewer, photo, {
      action: 'photo.restore',
      target: { type: 'photo', id, name: photo.title },
    });
  });
}

/**
 * Returns the photo if it is in the trash and the viewer may restore or purge it. Throws photoNotFound or
 * photoForbidden.
 */
export function getTrashedPhoto<Row extends PhotoRow>(viewer: Viewer, photo: Row | undefined): Row {
  if (!photo) throw errors.photoNotFound();
  if (photo.visibility === Visibility.trash) {
    // For other users, a trashed photo does not exist.
    if (!canManageItem(viewer, photo)) throw errors.photoNotFound();
    return photo;
  }
  if (!canManageItem(viewer, photo)) throw errors.photoForbidden();
  throw errors.photoNotFound({ message: 'The photo is not in the trash' });
}
