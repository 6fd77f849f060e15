/** Inserts an uploaded photo in one short transaction. */

import type { Deps } from '../../../deps.ts';
import { refuseQueuedForRemoval } from '../../../platform/db/removals.ts';
import type { Level, Visibility } from '../../../platform/db/states.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import type { FileFacts } from '../../../platform/imaging/metadata/fields.ts';
import { readSiteSettings } from '../../identity/site-settings.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { getTargetAlbum } from '../../library/albums.ts';
import { createTitleKey } from '../../library/search-text.ts';
import { addPhoto, type PhotoToAdd } from '../../library/set-visibility.ts';
import { emitWebhookEvent } from '../../webhooks/emit.ts';
import type { CorrectableField, PhotoFields } from '../metadata/fields.ts';
import { settleDate } from '../metadata/settle.ts';
import { insertPhotoMetadata, type ReadMetadata } from '../metadata/store.ts';
import { rememberEquipment } from '../query/equipment.ts';
import type { UploadedPicture } from './picture.ts';
import { countFullRenditionOverhead, reserveQuota } from './quota.ts';

/** Fields of a photo in an export. Exports of earlier versions have no place and no rating. */
export interface ExportedFields extends Pick<PhotoFields, 'taken_time'> {
  location?: PhotoFields['location'] | undefined;
  rating?: number | undefined;
  corrected: CorrectableField[];
}

export interface NewPhoto {
  key: string;
  title: string;
  description: string;
  tags: string[];
  /** Level that the request names. The default is the setting DEFAULT_VISIBILITY. */
  level?: Level | undefined;
  albumId: number | undefined;
  /** Runs at the end of the transaction that inserts the photo. */
  finish?: ((transaction: Transaction, id: number) => Promise<void>) | undefined;
  /** Values of an export, which override those of the file. */
  exported?: ExportedFields | undefined;
  /** Facts about the file that its metadata does not have. */
  facts?: FileFacts | undefined;
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
    const known = readKnownFields(photo, deps.clock());
    const row = createPhotoRow({ ...photo, ...known }, level, viewer.id, deps.clock());
    const { id, visibility } = await addPhoto(deps, transaction, row, { album, owner_status: ownerStatus });
    await insertOriginal(transaction, id, photo, row.update_time);
    await insertPhotoMetadata(transaction, id, known.read, photo.exported?.corrected ?? []);
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

interface KnownFields extends Pick<PhotoFields, 'taken_time' | 'location' | 'rating'> {
  /** Values that the file has. */
  read: ReadMetadata;
}

/** Returns the date, place and rating of a new photo: those of the export, or those of the file. */
function readKnownFields(
  { picture, facts = {}, exported, createTime = 0 }: NewPhoto,
  now: number,
): KnownFields {
  const { exif } = picture;
  const read = { exif, facts };
  if (!exported) {
    return { taken_time: exif.takenTime ?? now, location: exif.location, rating: exif.rating, read };
  }
  const { location = exif.location, rating = exif.rating, corrected, taken_time } = exported;
  if (corrected.includes('taken_time')) return { taken_time, location, rating, read };
  return { location, rating, ...settleDate(read, { taken_time, create_time: createTime }) };
}

function createPhotoRow(photo: NewPhoto & KnownFields, level: Level, userId: number, now: number) {
  const { location } = photo;
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
    taken_time: photo.taken_time,
    title_key: createTitleKey(photo.title),
    tags: JSON.stringify(photo.tags),
    tagList: photo.tags,
    camera: exif.camera,
    aperture: exif.aperture,
    shutter: exif.shutter,
    iso: exif.iso,
    lens: exif.lens,
    focal_length: exif.focalLength,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    place_names: exif.placeNames,
    rating: photo.rating,
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
