/** Deleting a photo puts it into the trash: gone from everywhere at once, kept for thirty days. */

import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { lockPhotoToMove } from '../../library/locks.ts';
import { canManage, isTrashed } from '../../library/permissions.ts';
import { setVisibility } from '../../library/set-visibility.ts';
import { noteDeletion } from '../../moderation/moderation.ts';
import { emit } from '../../webhooks/emit.ts';

/** Throws photoNotFound or photoForbidden. */
export async function trashPhoto(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute((transaction) => putIntoTrash(deps, transaction, viewer, id));
}

/** The same as a part of something larger. */
export async function putIntoTrash(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const photo = await lockPhotoToMove(deps, transaction, id);
  if (!photo || isTrashed(photo)) throw errors.photoNotFound();
  if (!canManage(viewer, photo)) throw errors.photoForbidden();
  await setVisibility(deps, transaction, [photo], Visibility.trash);
  await emit(deps, transaction, photo.user_id, { type: 'photo.deleted', actorId: viewer.id, photo });
  await noteDeletion(deps, transaction, viewer, {
    action: 'photo.delete',
    target: { type: 'photo', id, name: photo.title },
    isOwn: photo.user_id === viewer.id,
  });
}
