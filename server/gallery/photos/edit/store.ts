/** Short transactions that replace the image of a photo. */

import type { Insertable } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { refuseQueuedForRemoval } from '../../../platform/db/removals.ts';
import type { ImageRow, ImagesTable, PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { EditStep } from '../../../platform/imaging/edits/actions.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { regroupPhotos } from '../../library/groups.ts';
import { lockPhoto } from '../../library/locks.ts';
import { isTrashed } from '../../library/permissions.ts';
import { currentVisibilityColumn } from '../../library/visibility-sql.ts';
import { auditActOnOthers } from '../../moderation/audit.ts';
import { emitWebhookEvent } from '../../webhooks/emit.ts';
import { reserveQuota } from '../upload/quota.ts';
import { removeUncommittedObjects } from '../upload/upload.ts';
import type { CurrentPhotoImage, NewImageVersion } from './image.ts';
import { deleteSurplusVersions, removeSurplusObjects } from './versions.ts';

/**
 * Seconds that a replaced image stays available, because recently loaded pages still request it. Afterwards, an edited
 * version is deleted. An original is then visible only to its owner and admins, because cropping or blurring may have
 * hidden private details.
 */
const oldImageKeptSeconds = 3600;

/** The row of the photo when rendering started, and the user who edits the photo. */
export interface EditedPhoto {
  photo: PhotoRow;
  viewer: Viewer;
}

export interface NewEditStep {
  step: EditStep;
  /** Creation time of the edit step, in Unix seconds. */
  createTime: number;
}

/**
 * Shows a new image version of the photo. The new history has the old steps up to the id `kept`, or none if `kept` is
 * 0, and then `steps`. Throws photoNotFound, quotaExceeded or busy, and then removes the new objects.
 */
export async function showNewImageVersion(
  deps: Deps,
  { photo, viewer }: EditedPhoto,
  version: NewImageVersion,
  { kept, steps }: { kept: number; steps: NewEditStep[] },
): Promise<CurrentPhotoImage> {
  try {
    const { now, retired } = await deps.db.kysely.transaction().execute(async (transaction) => {
      await lockUnchanged(deps, transaction, { photo, viewer });
      await reserveQuota(transaction, photo.user_id, version, errors.photoNotFound);
      const editId = await replaceSteps(transaction, photo.id, kept, steps);
      const image = await transaction
        .insertInto('images')
        .values(imageRow(version, photo.id, editId, deps.clock()))
        .returningAll()
        .executeTakeFirstOrThrow();
      const now = await showImageVersion(deps, transaction, viewer, photo, image);
      await refuseQueuedForRemoval(deps.db, transaction, version.objects);
      return { now, retired: await deleteSurplusVersions(transaction, now.photo, deps.clock()) };
    });
    await removeSurplusObjects(deps, retired);
    return now;
  } catch (error) {
    await removeUncommittedObjects(deps, version.objects, error);
    throw error;
  }
}

/** Replaces the steps after the id `kept`, and returns the id of the last step. */
async function replaceSteps(
  transaction: Transaction,
  photoId: number,
  kept: number,
  steps: NewEditStep[],
): Promise<number> {
  await transaction.deleteFrom('edits').where('photo_id', '=', photoId).where('id', '>', kept).execute();
  let last = kept;
  // Steps are inserted one by one, because the order of their ids is the order of the history.
  for (const { step, createTime } of steps) {
    const { id } = await transaction
      .insertInto('edits')
      .values({
        photo_id: photoId,
        action: step.action,
        params: JSON.stringify(step.params),
        create_time: createTime,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    last = id;
  }
  return last;
}

/** Shows the original of a photo again and deletes all edit steps. */
export async function revertToOriginal(
  deps: Deps,
  { photo, viewer }: EditedPhoto,
  original: ImageRow,
): Promise<CurrentPhotoImage> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    await lockUnchanged(deps, transaction, { photo, viewer });
    await transaction.deleteFrom('edits').where('photo_id', '=', photo.id).execute();
    return showImageVersion(deps, transaction, viewer, photo, original);
  });
}

/**
 * Locks the photo. Throws busy if another edit has changed the image since rendering started, because the new version
 * would be outdated.
 */
async function lockUnchanged(
  deps: Deps,
  transaction: Transaction,
  { photo, viewer }: EditedPhoto,
): Promise<void> {
  const now = await lockPhoto(transaction, photo.id);
  if (!now || isTrashed(now)) throw errors.photoNotFound();
  if (now.image_key !== photo.image_key) {
    throw errors.busy({
      message: 'The photo was edited elsewhere at the same time. Load the photo again, then repeat the edit.',
      retryAfter: 1,
    });
  }
  await auditActOnOthers(deps, transaction, viewer, photo, {
    action: 'photo.edit',
    target: { type: 'photo', id: photo.id, name: photo.title },
  });
}

async function showImageVersion(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  photo: PhotoRow,
  image: ImageRow,
): Promise<CurrentPhotoImage> {
  const now = deps.clock();
  await replaceImage(transaction, photo, image, now + oldImageKeptSeconds);
  const change = transaction
    .updateTable('photos')
    .set({
      image_key: image.key,
      width: image.width,
      height: image.height,
      size: image.size,
      placeholder: image.placeholder,
      preview_extension: image.preview_extension,
      update_time: now,
    })
    .where('id', '=', photo.id)
    .returningAll()
    .returning(currentVisibilityColumn);
  const shown = await regroupPhotos(deps.db, transaction, [photo.id], () => change.executeTakeFirstOrThrow());
  await emitWebhookEvent(deps, transaction, photo.user_id, {
    type: 'photo.updated',
    actorId: viewer.id,
    photo: shown,
  });
  return { photo: shown, image };
}

/**
 * Schedules the end of the replaced image. `until` is the Unix time until which viewers of a loaded page may request
 * that image.
 */
async function replaceImage(
  transaction: Transaction,
  photo: PhotoRow,
  image: ImageRow,
  until: number,
): Promise<void> {
  const replaced = photo.image_key === photo.original_key ? { private_time: until } : { expire_time: until };
  await transaction.updateTable('images').set(replaced).where('key', '=', photo.image_key).execute();
  if (image.kind !== 'original') return;
  await transaction.updateTable('images').set({ private_time: null }).where('key', '=', image.key).execute();
}

function imageRow(
  version: NewImageVersion,
  photoId: number,
  editId: number,
  now: number,
): Insertable<ImagesTable> {
  const { objects: _, previewExtension, ...image } = version;
  return {
    ...image,
    photo_id: photoId,
    kind: 'edit',
    edit_id: editId,
    preview_extension: previewExtension,
    full_extension: '',
    clean_parts: null,
    create_time: now,
    expire_time: null,
  };
}
