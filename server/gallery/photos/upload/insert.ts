/** The one short transaction that makes an uploaded photo exist. */
import type { Transaction } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { NewPhoto, Tables } from '../../../platform/db/tables.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { getAlbumFor } from '../../library/albums.ts';
import { addToAlbum, countsBetween, takePositions } from '../../library/counts.ts';
import { searchTextOf, titleKeyOf } from '../../library/search-text.ts';
import { addToTotals, effectiveVisibility } from '../../library/visibility.ts';
import { emit } from '../../webhooks/emit.ts';
import { insertTags } from '../update.ts';
import type { Picture } from './picture.ts';
import { takeQuota } from './quota.ts';

export interface PhotoToInsert {
  key: string;
  title: string;
  description: string;
  tags: string[];
  isPublic: number;
  albumId: number | undefined;
  /** Unix seconds, of photos that lay elsewhere before: when the picture was taken, whatever it says itself; */
  takenTime?: number | undefined;
  /** or what stands for it where neither it nor `takenTime` says; */
  takenTimeElse?: number | undefined;
  /** and when it came into the gallery that it came from. */
  createTime?: number | undefined;
  fileName: string;
  size: number;
  sha256: string;
  picture: Picture;
}

export interface InsertedPhoto {
  id: number;
  visibility: number;
}

/** Throws 20006, 30001 or 30002; then nothing was inserted. */
export async function insertPhoto(deps: Deps, viewer: Viewer, photo: PhotoToInsert): Promise<InsertedPhoto> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    if (photo.albumId) await deps.db.lockLibrary(transaction, viewer.id);
    const ownerStatus = await takeQuota(transaction, viewer.id, photo.size);
    const album = photo.albumId ? await getAlbumFor(transaction, viewer.id, photo.albumId) : undefined;
    const visibility = effectiveVisibility({ is_public: photo.isPublic, owner_status: ownerStatus }, album);
    const row = rowOf(photo, {
      userId: viewer.id,
      albumId: album?.id ?? null,
      position: album ? await takePositions(transaction, album.id, 1) : 0,
      visibility,
      now: deps.clock(),
    });
    const { id } = await transaction
      .insertInto('photos')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertOriginal(transaction, id, photo, row.update_time);
    await addToAlbum(transaction, row.album_id, countsBetween(0, visibility));
    await insertTags(transaction, { ...row, id }, photo.tags);
    await addToTotals(transaction, viewer.id, { [visibility]: 1 });
    const text = searchTextOf(photo);
    await deps.db.search.put(transaction, { photoId: id, userId: viewer.id, visibility, text });
    const shown = { id, title: photo.title, is_public: photo.isPublic };
    await emit(deps, transaction, viewer.id, { type: 'photo.created', actorId: viewer.id, photo: shown });
    return { id, visibility };
  });
}

interface Placed {
  userId: number;
  albumId: number | null;
  position: number;
  visibility: number;
  now: number;
}

function rowOf(photo: PhotoToInsert, { userId, albumId, position, visibility, now }: Placed) {
  const { inspection, exif, renditions } = photo.picture;
  return {
    user_id: userId,
    visibility,
    create_time: photo.createTime ?? now,
    width: inspection.width,
    height: inspection.height,
    views: 0,
    likes: 0,
    favorites: 0,
    downloads: 0,
    image_key: photo.key,
    title: photo.title,
    placeholder: renditions.placeholder,
    album_id: albumId,
    album_position: position,
    is_public: photo.isPublic,
    size: photo.size,
    update_time: now,
    taken_time: photo.takenTime ?? exif.takenTime ?? photo.takenTimeElse ?? now,
    title_key: titleKeyOf(photo.title),
    tags: JSON.stringify(photo.tags),
    camera: exif.camera,
    aperture: exif.aperture,
    shutter: exif.shutter,
    iso: exif.iso,
    file_name: photo.fileName,
    original_key: photo.key,
    sha256: photo.sha256,
    delete_time: null,
    description: photo.description,
  } satisfies NewPhoto;
}

async function insertOriginal(
  transaction: Transaction<Tables>,
  photoId: number,
  { key, size, picture }: PhotoToInsert,
  now: number,
): Promise<void> {
  const { inspection, clean, renditions } = picture;
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
    })
    .execute();
}
