/** Updates the texts, tags, date, place, rating, album and visibility of a photo. */

import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../deps.ts';
import type { AlbumRow, PhotoRow, Transaction } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import {
  earliestTakenTime,
  latestTakenTime,
  parseFileTime,
} from '../../platform/imaging/metadata/wall-clock.ts';
import type { Viewer } from '../identity/viewer.ts';
import { findMainAlbum, getTargetAlbum } from '../library/albums.ts';
import { readRequestedLevel } from '../library/level-fields.ts';
import { lockPhotoToMove } from '../library/locks.ts';
import { moveToAlbum } from '../library/move-to-album.ts';
import { canManageItem, canSetLevel, isTrashed } from '../library/permissions.ts';
import { indexLockedPhotos } from '../library/search-index.ts';
import { findUnshareablePhotos } from '../library/shared-albums.ts';
import { cleanTags, insertTags, removeTags } from '../library/tags.ts';
import { findLevelAfterMove } from '../library/tree.ts';
import { auditActOnOthers } from '../moderation/audit.ts';
import { emitWebhookEvent } from '../webhooks/emit.ts';
import { onlyOwnerSharesMessage } from './albums/add-and-remove.ts';
import { correctPhoto } from './metadata/correct.ts';
import { type PhotoFields, parseFields, roundLocation } from './metadata/fields.ts';
import {
  getPhotoMetadata,
  type PhotoMetadata,
  setCorrectedFields,
  writePhotoFields,
} from './metadata/store.ts';
import type { PhotoUpdate } from './schema.ts';

/** Changes to a photo. `tags` is the new list, or a function that derives the new list from the old one. */
export type PhotoChange = Omit<PhotoUpdate, 'tags'> & {
  tags?: string[] | ChangeTags;
  /** Seconds to add to the date. */
  shift?: number;
};
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

    const changed = await correctFields(deps, transaction, photo, { ...change, tags });
    const hasNewTags = change.tags !== undefined || change.from_file?.includes('tags');
    if (hasNewTags) await removeTags(deps.db, transaction, photo);
    const [now] = await moveToAlbum(deps, transaction, [photo], { album, level, addedBy: viewer.id });
    const { visibility } = now!;
    if (hasNewTags) await insertTags(deps.db, transaction, { ...photo, visibility }, changed.tags);
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

/** Writes the new fields of a photo and the names of its corrected fields. Returns the fields. */
async function correctFields(
  deps: Deps,
  transaction: Transaction,
  photo: PhotoRow,
  change: PhotoChange,
): Promise<PhotoFields> {
  const metadata = await getPhotoMetadata(transaction, photo.id);
  const current = parseFields(photo);
  const correction = {
    given: {
      taken_time: readNewTime(change, photo, metadata),
      location: change.location && roundLocation(change.location),
      rating: change.rating,
      title: change.title,
      description: change.description,
      tags: applyTagChange(current.tags, change.tags),
    },
    fromFile: change.from_file ?? [],
  };
  if (correction.fromFile.length > 0) refuseUnreadFile(metadata);
  const { fields, corrected } = correctPhoto(current, metadata, correction, photo.create_time);
  await writePhotoFields(deps, transaction, photo, fields, { update_time: deps.clock() });
  if (!isDeepStrictEqual(corrected, metadata.corrected)) {
    await setCorrectedFields(transaction, photo.id, corrected);
  }
  return fields;
}

/** Returns the new date of a photo. Throws invalid for a shift of an unknown date, or to a year that has no text. */
function readNewTime(
  { taken_time, shift }: PhotoChange,
  photo: PhotoRow,
  metadata: PhotoMetadata,
): number | undefined {
  if (taken_time !== undefined) return parseFileTime(taken_time);
  if (shift === undefined) return undefined;
  refuseUnreadFile(metadata);
  if (!metadata.corrected.includes('taken_time') && metadata.file.taken_time === null) {
    throw errors.invalid({ message: 'The photo has no date to shift. Set a date.' });
  }
  const time = photo.taken_time + shift;
  if (time >= earliestTakenTime && time <= latestTakenTime) return time;
  throw errors.invalid({ message: 'The shifted date is not in the years 1000 to 9999' });
}

/** Throws invalid for a photo of an earlier version that waits for the job that reads its file. */
function refuseUnreadFile({ isRead }: PhotoMetadata): void {
  if (!isRead) throw errors.invalid({ message: 'The server has not read the file yet. Try again later.' });
}

function applyTagChange(current: string[], tags: string[] | ChangeTags | undefined): string[] | undefined {
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
