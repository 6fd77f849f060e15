/** Inserts an uploaded photo in one short transaction. */

import type { Deps } from '../../../deps.ts';
import { refuseQueuedForRemoval } from '../../../platform/db/removals.ts';
import type { Level, Visibility } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { readSiteSettings } from '../../identity/site-settings.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { getTargetAlbum } from '../../library/albums.ts';
import { foldTitle } from '../../library/search-text.ts';
import { addPhoto, type PhotoToAdd } from '../../library/set-visibility.ts';
import { emitWebhookEvent } from '../../webhooks/emit.ts';
import { rememberEquipment } from '../query/equipment.ts';
import type { UploadedPicture } from './picture.ts';
import { countFullRenditionOverhead, reserveQuota } from './quota.ts';

export interface NewPhoto {
  key: string;
  title: string;
  description: string;
  tags: string[];
  /** Level that the request names. The default is the setting DEFAULT_VISIBILITY. */
  level?: Level | undefined;
  albumId: number | undefined;
  /** Capture time that overrides the time of the file's metadata. */
  takenTime?: number | undefined;
  /** Runs at the end of the transaction that inserts the photo. */
  finish?: ((transaction: Transaction, id: number) => Promise<void>) | undefined;
  /** Upload time in Unix seconds, for imports. The default is the current time. */
  createTime?: number | undefined;
  fileName: string;
  size: number;
  sha256: string;
  picture: UploadedPicture;
  /** Names of the photo's objects, which are already in the storage. */
  objects: string[];
  /** The resumable upload that becomes the photo. */
  source?: ResumableUploadRows | undefined;
}

/** Changes the rows of a resumable upload in the transaction that inserts the photo. */
export interface ResumableUploadRows {
  /**
   * Refunds the quota and deletes the pieces of the upload, before the photo is charged. Throws an error if the upload
   * no longer exists.
   */
  release(transaction: Transaction): Promise<void>;
  /** Stores the photo's id in the upload's row. */
  attach(transaction: Transaction, photoId: number): Promise<void>;
}

export interface InsertedPhoto {
  id: number;
  visibility: Visibility;
}

/**
 * Inserts a photo and returns its id and visibility. Throws quotaExceeded, albumNotFound, albumForbidden, busy,
 * badToken for an account that is being deleted, or an error of the upload source. After an error, no row is inserted.
 */
export async function insertPhoto(deps: Deps, viewer: Viewer, photo: NewPhoto): Promise<InsertedPhoto> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    if (photo.albumId) await deps.db.lock(transaction, { library: viewer.id });
    await photo.source?.release(transaction);
    const ownerStatus = await reserveQuota(transaction, viewer.id, {
      size: photo.size,
      overhead: countPhotoOverhead(photo),
    });
    const album = photo.albumId ? await getTargetAlbum(transaction, viewer.id, photo.albumId) : undefined;
    const level = photo.level ?? (await readSiteSettings(deps.config, transaction)).defaultLevel;
    const row = createPhotoRow(photo, level, viewer.id, deps.clock());
    const { id, visibility } = await addPhoto(deps, transaction, row, { album, owner_status: ownerStatus });
    await insertOriginal(transaction, id, photo, row.update_time);
    await rememberEquipment(transaction, [row.camera, row.lens]);
    await photo.source?.attach(transaction, id);
    await refuseQueuedForRemoval(deps.db, transaction, photo.objects);
    const shown = { id, title: photo.title, level };
    await emitWebhookEvent(deps, transaction, viewer.id, {
      type: 'photo.created',
      actorId: viewer.id,
      photo: shown,
    });
    await photo.finish?.(transaction, id);
    return { id, visibility };
  });
}

function createPhotoRow(photo: NewPhoto, level: Level, userId: number, now: number) {
  const { inspection, exif, renditions } = photo.picture;
  return {
    user_id: userId,
    create_time: photo.createTime ?? now,
    width: inspection.width,
    height: inspection.height,
    image_key: photo.key,
    title: photo.title,
    placeholder: renditions.placeholder,
    level,
    size: photo.size,
    update_time: now,
    taken_time: photo.takenTime ?? exif.takenTime ?? now,
    title_key: foldTitle(photo.title),
    tags: JSON.stringify(photo.tags),
    tagList: photo.tags,
    camera: exif.camera,
    aperture: exif.aperture,
    shutter: exif.shutter,
    iso: exif.iso,
    lens: exif.lens,
    focal_length: exif.focalLength,
    latitude: exif.location?.latitude ?? null,
    longitude: exif.location?.longitude ?? null,
    preview_extension: renditions.preview.extension,
    file_name: photo.fileName,
    original_key: photo.key,
    sha256: photo.sha256,
    delete_time: null,
    description: photo.description,
  } satisfies PhotoToAdd;
}

function countPhotoOverhead({ size, picture }: NewPhoto): number {
  return countFullRenditionOverhead(size, picture.renditions.full?.data.length ?? 0);
}

async function insertOriginal(
  transaction: Transaction,
  photoId: number,
  photo: NewPhoto,
  now: number,
): Promise<void> {
  const { key, size, picture } = photo;
  const { inspection, clean, renditions } = picture;
  const overhead = countPhotoOverhead(photo);
  await transaction
    .insertInto('images')
    .values({
      key,
      photo_id: photoId,
      kind: 'original',
      edit_id: null,
      extension: inspection.extension,
      mime: inspection.mime,
      width: inspection.width,
      height: inspection.height,
      size,
      preview_extension: renditions.preview.extension,
      full_extension: renditions.full?.extension ?? '',
      clean_parts: clean && JSON.stringify(clean),
      frames: inspection.frames,
      placeholder: renditions.placeholder,
      create_time: now,
      expire_time: null,
      overhead,
    })
    .execute();
}
