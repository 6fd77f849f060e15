/** Deleting a photo puts it into the trash: gone from everywhere at once, kept for thirty days. */
import type { Transaction } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { canEdit } from '../../library/photo-permissions.ts';
import { lockPhotoToMove, moveVisibility } from '../../library/visibility.ts';
import { noteDeletion } from '../../moderation/moderation.ts';
import { emit } from '../../webhooks/emit.ts';

/** Throws 20003 or 20004. */
export async function trashPhoto(deps: Deps, viewer: Viewer, id: number): Promise<void> {
  await deps.db.kysely.transaction().execute((transaction) => putIntoTrash(deps, transaction, viewer, id));
}

/** The same as a part of something larger. */
export async function putIntoTrash(
  deps: Deps,
  transaction: Transaction<Tables>,
  viewer: Viewer,
  id: number,
): Promise<void> {
  const photo = await lockPhotoToMove(deps, transaction, id);
  if (!photo || photo.visibility === 0) throw errors.photoNotFound();
  if (!canEdit(viewer, photo)) throw errors.photoForbidden();
  await moveVisibility(transaction, photo, 0);
  await transaction.updateTable('photos').set({ delete_time: deps.clock() }).where('id', '=', id).execute();
  await deps.db.search.remove(transaction, photo);
  await emit(deps, transaction, photo.user_id, { type: 'photo.deleted', actorId: viewer.id, photo });
  await noteDeletion(deps, transaction, viewer, {
    action: 'photo.delete',
    target: { type: 'photo', id, name: photo.title },
    isOwn: photo.user_id === viewer.id,
  });
}
