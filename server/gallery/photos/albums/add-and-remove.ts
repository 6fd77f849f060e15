/** Adds many photos to an album or removes them from the album. */

import type { Deps } from '../../../deps.ts';
import { idsOf } from '../../../platform/db/rows.ts';
import { Visibility, type VisibilityOutsideTrash } from '../../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../../platform/db/tables.ts';
import { type ApiError, errors } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { deleteFromAlbum, findPhotosInAlbum, insertIntoAlbum } from '../../library/album-photos.ts';
import { lockOrdinaryAlbum } from '../../library/albums.ts';
import { presentLevel } from '../../library/level-fields.ts';
import { lockPhotos, type MovedPhoto, movedPhotoColumns } from '../../library/locks.ts';
import { moveToAlbum } from '../../library/move-to-album.ts';
import { findUnshareablePhotos } from '../../library/shared-albums.ts';
import { currentVisibilityColumn, photoOwnerStatusColumn } from '../../library/visibility-sql.ts';
import { auditActOnOthers } from '../../moderation/audit.ts';
import type { BatchOutcome } from '../schema.ts';
import type { AddedPhotos, PhotosToAdd } from './schema.ts';

/** Message for an admin who would put a photo that is not public into an album with a link. */
export const onlyOwnerSharesMessage =
  'The album has a share link, so only the owner can put photos into it that are not public';

/**
 * Appends photos to an album in the given order. The album becomes the main album of photos without one, and of all
 * photos with `move`. Photos that the album contains already keep their positions. Throws albumNotFound, albumForbidden
 * or albumIsSmart.
 */
export function addPhotosToAlbum(
  deps: Deps,
  viewer: Viewer,
  albumId: number,
  { ids, move = false }: PhotosToAdd,
): Promise<AddedPhotos> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockOrdinaryAlbum(deps, transaction, viewer, albumId);
    const now = deps.clock();
    const unshareable = await findUnshareablePhotos(transaction, viewer, album, { ids, now });
    const { outcome, accepted } = await choosePhotos(transaction, album, ids, (photo) => {
      if (photo.user_id !== album.user_id) return errors.photoForbidden();
      return unshareable.has(photo.id)
        ? errors.photoForbidden({ message: onlyOwnerSharesMessage })
        : undefined;
    });
    if (accepted.length === 0) return { ...outcome, photos: [] };
    const addition = { addedBy: viewer.id, now };
    await insertIntoAlbum(transaction, album, idsOf(accepted), addition);
    const moved = accepted.filter(({ album_id }) => move || album_id === null);
    await moveToAlbum(deps, transaction, moved, { album, addedBy: viewer.id });
    await recordAlbumPhotoChange(deps, transaction, viewer, album, 'photos');
    return { ...outcome, photos: await presentAdded(transaction, album, outcome.success) };
  });
}

/**
 * Adds photos of the album's owner by reference, also photos in the trash and photos without a main album. Ignores other
 * photos. Throws albumNotFound, albumForbidden or albumIsSmart.
 */
export async function addAlbumReferences(
  deps: Deps,
  viewer: Viewer,
  albumId: number,
  ids: number[],
): Promise<void> {
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockOrdinaryAlbum(deps, transaction, viewer, albumId);
    const found = await lockOwn(transaction, album, ids);
    const own = ids.filter((id) => found.get(id)?.user_id === album.user_id);
    await insertIntoAlbum(transaction, album, own, { addedBy: viewer.id, now: deps.clock() });
  });
}

/** Removes photos from an album. Other albums keep them. Throws albumNotFound, albumForbidden or albumIsSmart. */
export function removePhotosFromAlbum(
  deps: Deps,
  viewer: Viewer,
  albumId: number,
  ids: number[],
): Promise<BatchOutcome> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockOrdinaryAlbum(deps, transaction, viewer, albumId);
    const contained = await findPhotosInAlbum(transaction, albumId, ids);
    const { outcome, accepted } = await choosePhotos(transaction, album, ids, ({ id }) =>
      contained.has(id) ? undefined : errors.photoNotFound({ message: 'The photo is not in this album' }),
    );
    if (accepted.length === 0) return outcome;
    const main = accepted.filter(({ album_id }) => album_id === albumId);
    await moveToAlbum(deps, transaction, main, { album: undefined, addedBy: viewer.id });
    await deleteFromAlbum(transaction, albumId, idsOf(accepted));
    await recordAlbumPhotoChange(deps, transaction, viewer, album, 'photos');
    return outcome;
  });
}

/** Locks the photos that a request names, and separates those that `refuse` accepts from the failures. */
async function choosePhotos(
  transaction: Transaction,
  album: AlbumRow,
  ids: number[],
  refuse: (photo: MovedPhoto) => ApiError | undefined,
): Promise<{ outcome: BatchOutcome; accepted: MovedPhoto[] }> {
  const outcome: BatchOutcome = { success: [], failed: [] };
  const wanted = [...new Set(ids)];
  const found = await lockOwn(transaction, album, wanted);
  const accepted: MovedPhoto[] = [];
  for (const id of wanted) {
    const photo = found.get(id);
    const error = photo && photo.visibility !== Visibility.trash ? refuse(photo) : errors.photoNotFound();
    if (error) outcome.failed.push({ id, code: error.code, message: error.message });
    else {
      outcome.success.push(id);
      accepted.push(photo!);
    }
  }
  return { outcome, accepted };
}

/** Reads how the album contains the photos now, and their levels. */
async function presentAdded(
  transaction: Transaction,
  album: AlbumRow,
  ids: number[],
): Promise<AddedPhotos['photos']> {
  const photos = await transaction
    .selectFrom('photos')
    .select(['id', 'album_id', 'level', currentVisibilityColumn])
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  return ids.map((id) => {
    const { album_id, level, visibility_now } = byId.get(id)!;
    const as = album_id === album.id ? 'main' : 'reference';
    return { id, as, ...presentLevel(level, visibility_now as VisibilityOutsideTrash) };
  });
}

/**
 * Locks the photos of the album's owner and reads the others without a lock, because only the owner's library is
 * locked.
 */
async function lockOwn(
  transaction: Transaction,
  album: AlbumRow,
  ids: number[],
): Promise<Map<number, MovedPhoto>> {
  const photos = await transaction
    .selectFrom('photos')
    .select(movedPhotoColumns)
    .select(photoOwnerStatusColumn)
    .where('id', 'in', ids)
    .execute();
  const own = photos.filter(({ user_id }) => user_id === album.user_id).map(({ id }) => id);
  const others = photos.filter(({ user_id }) => user_id !== album.user_id);
  const locked = own.length > 0 ? await lockPhotos(transaction, own) : [];
  return new Map([...others, ...locked].map((photo) => [photo.id, photo]));
}

/**
 * Records that an album's photos or their order changed: sets the album's update time and writes an audit entry for
 * an admin.
 */
export async function recordAlbumPhotoChange(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  album: AlbumRow,
  field: 'photos' | 'order',
): Promise<void> {
  const { id, name } = album;
  await transaction.updateTable('albums').set({ update_time: deps.clock() }).where('id', '=', id).execute();
  await auditActOnOthers(deps, transaction, viewer, album, {
    action: 'album.update',
    target: { type: 'album', id, name },
    details: { fields: [field] },
  });
}
