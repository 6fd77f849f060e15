/** Adds many photos to an album or removes them from the album. */

import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { AlbumRow, Transaction } from '../../../platform/db/tables.ts';
import { type ApiError, errors } from '../../../platform/errors/catalogue.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { lockFilledAlbum } from '../../library/albums.ts';
import { lockPhotos, type MovedPhoto, movedColumns } from '../../library/locks.ts';
import { moveToAlbum } from '../../library/move-to-album.ts';
import { ownerStatus } from '../../library/visibility-sql.ts';
import { auditIfOthers } from '../../moderation/audit.ts';
import type { Outcome } from '../../photos/schema.ts';

/**
 * Appends photos to an album in the given order. Photos that the album contains already keep their positions.
 * Throws albumNotFound, albumForbidden or albumIsSmart.
 */
export function addPhotos(deps: Deps, viewer: Viewer, albumId: number, ids: number[]): Promise<Outcome> {
  return changeAlbumPhotos(deps, viewer, albumId, ids, {
    refuse: (photo, album) => (photo.user_id === album.user_id ? undefined : errors.photoForbidden()),
    targetAlbum: (album) => album,
  });
}

/**
 * Removes photos from an album, so that they are in no album. Throws albumNotFound, albumForbidden or albumIsSmart.
 */
export function removePhotos(deps: Deps, viewer: Viewer, albumId: number, ids: number[]): Promise<Outcome> {
  return changeAlbumPhotos(deps, viewer, albumId, ids, {
    refuse: (photo, album) =>
      photo.album_id === album.id
        ? undefined
        : errors.photoNotFound({ message: 'The photo is not in this album' }),
    targetAlbum: () => undefined,
  });
}

interface AlbumPhotosChange {
  refuse(photo: MovedPhoto, album: AlbumRow): ApiError | undefined;
  /** Returns the album that will contain the photos, or undefined to remove them from all albums. */
  targetAlbum(album: AlbumRow): AlbumRow | undefined;
}

async function changeAlbumPhotos(
  deps: Deps,
  viewer: Viewer,
  albumId: number,
  ids: number[],
  { refuse, targetAlbum }: AlbumPhotosChange,
): Promise<Outcome> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const album = await lockFilledAlbum(deps, transaction, viewer, albumId);
    const outcome: Outcome = { success: [], failed: [] };
    const wanted = [...new Set(ids)];
    const found = await lockOwn(transaction, album, wanted);
    const accepted: MovedPhoto[] = [];
    for (const id of wanted) {
      const photo = found.get(id);
      const error =
        photo && photo.visibility !== Visibility.trash ? refuse(photo, album) : errors.photoNotFound();
      if (error) outcome.failed.push({ id, code: error.code, message: error.message });
      else {
        outcome.success.push(id);
        accepted.push(photo!);
      }
    }
    if (accepted.length === 0) return outcome;
    await moveToAlbum(deps, transaction, accepted, targetAlbum(album));
    await recordAlbumChange(deps, transaction, viewer, album, 'photos');
    return outcome;
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
    .select(movedColumns)
    .select(ownerStatus)
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
export async function recordAlbumChange(
  deps: Deps,
  transaction: Transaction,
  viewer: Viewer,
  album: AlbumRow,
  field: 'photos' | 'order',
): Promise<void> {
  const { id, name } = album;
  await transaction.updateTable('albums').set({ update_time: deps.clock() }).where('id', '=', id).execute();
  await auditIfOthers(deps, transaction, viewer, album, {
    action: 'album.update',
    target: { type: 'album', id, name },
    details: { fields: [field] },
  });
}
