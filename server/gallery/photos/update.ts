/** Updates the texts, tags, album and visibility of a photo. */

import type { Deps } from '../../deps.ts';
import type { AlbumRow, PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { findMainAlbum, getTargetAlbum } from '../library/albums.ts';
import { readRequestedLevel } from '../library/level-fields.ts';
import { lockPhotoToMove } from '../library/locks.ts';
import { moveToAlbum } from '../library/move-to-album.ts';
import { canManageItem, canSetLevel, isTrashed } from '../library/permissions.ts';
import { indexLockedPhotos } from '../library/search-index.ts';
import { foldTitle } from '../library/search-text.ts';
import { findUnshareablePhotos } from '../library/shared-albums.ts';
import { cleanTags, insertTags, removeTags } from '../library/tags.ts';
import { findLevelAfterMove } from '../library/tree.ts';
import { auditActOnOthers } from '../moderation/audit.ts';
import { emitWebhookEvent } from '../webhooks/emit.ts';
import { onlyOwnerSharesMessage } from './albums/add-and-remove.ts';
import type { PhotoUpdate } from './schema.ts';

/** Changes to a photo. `tags` is the new list, or a function that derives the new list from the old one. */
export type PhotoChange = Omit<PhotoUpdate, 'tags'> & { tags?: string[] | ChangeTags };
/** Returns a photo's new tags for its current tags. */
export type ChangeTags = (tags: string[]) => string[];

const onlyOwnerWidens = 'Only the owner can show the photo to more people';

/**
 * Updates the given fields of a photo. Throws photoNotFound, photoForbidden, albumNotFound, albumForbidden,
 * albumIsSmart or invalid.
 */
export async function updatePhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
  change: PhotoChange,
): Promise<void> {
  const tags = Array.isArray(change.tags) ? cleanTags(change.tags) : change.tags;
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhotoToMove(deps, transaction, id);
    if (!photo || isTrashed(photo)) throw errors.photoNotFound();
    if (!canManageItem(viewer, photo)) throw errors.photoForbidden();
    const album = await findNewAlbum(transaction, photo, change.album_id);
    if (album && album.id !== photo.album_id) {
      const unshareable = await findUnshareablePhotos(transaction, viewer, album, {
        ids: [id],
        now: deps.clock(),
      });
      if (unshareable.has(id)) throw errors.photoForbidden({ message: onlyOwnerSharesMessage });
    }
    const kept = await findLevelAfterMove(transaction, photo.level, photo.album_id, album?.id ?? null);
    const level = readRequestedLevel(change, photo.level);
    if (!canSetLevel(viewer, { ...photo, level: kept }, level)) {
      throw errors.photoForbidden({ message: onlyOwnerWidens });
    }

    const changed = {
      title: change.title ?? photo.title,
      description: change.description ?? photo.description,
      tags: applyTagChange(JSON.parse(photo.tags) as string[], tags),
    };
    await transaction
      .updateTable('photos')
      .set({
        ...changed,
        tags: JSON.stringify(changed.tags),
        title_key: foldTitle(changed.title),
        update_time: deps.clock(),
      })
      .where('id', '=', id)
      .execute();
    if (change.tags) await removeTags(deps.db, transaction, photo);
    const [now] = await moveToAlbum(deps, transaction, [photo], { album, level, addedBy: viewer.id });
    const { visibility } = now!;
    if (change.tags) await insertTags(deps.db, transaction, { ...photo, visibility }, changed.tags);
    // The search index is updated here only if the visibility is unchanged, because a change of visibility updates the
    // index too.
    if (visibility === photo.visibility) await indexLockedPhotos(deps, transaction, id);
    await emitWebhookEvent(deps, transaction, photo.user_id, {
      type: 'photo.updated',
      actorId: viewer.id,
      photo: { id, title: changed.title, level: now!.level },
    });
    await auditActOnOthers(deps, transaction, viewer, photo, {
      action: 'photo.update',
      target: { type: 'photo', id, name: photo.title },
      details: { fields: Object.keys(change) },
    });
  });
}

function applyTagChange(current: string[], tags: string[] | ChangeTags | undefined): string[] {
  if (tags === undefined) return current;
  return typeof tags === 'function' ? cleanTags(tags(current)) : tags;
}

/**
 * Returns the photo's album after the update: the requested album, or none for null and 0. If the request names no
 * album, the current album stays.
 */
async function findNewAlbum(
  transaction: Transaction,
  photo: PhotoRow,
  asked: number | null | undefined,
): Promise<AlbumRow | undefined> {
  if (asked) return getTargetAlbum(transaction, photo.user_id, asked);
  return asked === undefined ? findMainAlbum(transaction, photo) : undefined;
}
