/** Converts photos to JSON. The fields are listed explicitly, and the paths are those that the viewer can open. */

import type { Deps } from '../../deps.ts';
import { Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { PhotoCounters, PhotoRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import {
  buildSizesPath,
  createViewerPathSigner,
  getFullPictureName,
  previewPath,
  thumbPath,
} from '../delivery/paths.ts';
import { buildImagePath, type PathSigner } from '../delivery/signatures.ts';
import { type AuthorColumns, presentUser } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { presentLevel } from '../library/level-fields.ts';
import { canManageItem, canSee } from '../library/permissions.ts';
import { listOtherFileFields } from './metadata/correct.ts';
import { parseFields } from './metadata/fields.ts';
import type { Photo, PhotoItem } from './schema.ts';
import type { PhotoDetailRow } from './store.ts';
import type { UploadedPhoto } from './upload/upload.ts';

/** Columns that a photo in a list needs. */
export type PhotoItemRow = Pick<
  PhotoRow,
  'id' | 'user_id' | 'title' | 'image_key' | 'preview_extension' | 'placeholder' | 'level'
> &
  Pick<PhotoRow, 'create_time' | 'update_time' | 'taken_time' | 'width' | 'height'> &
  Pick<PhotoCounters, 'views' | 'likes' | 'favorites' | 'comments'> &
  AuthorColumns & { visibility_now: Visibility; is_liked: number; is_favorited: number };

export function presentPhotoItem(row: PhotoItemRow, signer: PathSigner | undefined): PhotoItem {
  const { user_id, username, nickname, avatar } = row;
  return {
    id: row.id,
    title: row.title,
    thumb: thumbPath(row, signer),
    preview: previewPath(row, signer),
    image: buildSizesPath(row, signer),
    views: row.views,
    likes: row.likes,
    favorites: row.favorites,
    comments: row.comments,
    is_liked: row.is_liked === 1,
    is_favorited: row.is_favorited === 1,
    ...presentLevel(row.level, listedVisibility(row)),
    user: presentUser({ id: user_id, username, nickname, avatar }, signer),
    create_time: timeText(row.create_time),
    update_time: timeText(row.update_time),
    taken_time: timeText(row.taken_time),
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
  };
}

/** Returns the visibility of a photo, and `private` for a photo in the trash. */
function listedVisibility({ visibility_now }: { visibility_now: Visibility }): VisibilityOutsideTrash {
  return visibility_now === Visibility.trash ? Visibility.private : visibility_now;
}

/** Converts a photo to JSON, with the albums and the fields that the viewer can see. */
export function presentPhoto(
  row: PhotoDetailRow,
  viewer: Viewer | undefined,
  signer: PathSigner | undefined,
): Photo {
  const albums = row.albums.filter((album) => canSee(viewer, album));
  const main = albums.find(({ id }) => id === row.album_id);
  const path = (name: string) => buildImagePath({ name, visibility_now: row.visibility_now }, signer);
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    path: path(getFullPictureName(row.image_key, row)),
    preview: previewPath(row, signer),
    thumb: thumbPath(row, signer),
    image: buildSizesPath(row, signer),
    width: row.width,
    height: row.height,
    size: row.size,
    placeholder: row.placeholder,
    views: row.views,
    likes: row.likes,
    favorites: row.favorites,
    comments: row.comments,
    downloads: row.downloads,
    is_liked: row.liked !== null,
    is_favorited: row.favorited !== null,
    tags: JSON.parse(row.tags) as string[],
    exif: { camera: row.camera, aperture: row.aperture, shutter: row.shutter, iso: row.iso },
    lens: row.lens,
    focal_length: row.focal_length,
    user: presentUser({ ...row, id: row.user_id }, signer),
    album: main ? { id: main.id, name: main.name } : null,
    albums: albums.map(({ id, name }) => ({ id, name, as: id === row.album_id ? 'main' : 'reference' })),
    ...presentLevel(row.level, listedVisibility(row)),
    create_time: timeText(row.create_time),
    update_time: timeText(row.update_time),
    taken_time: timeText(row.taken_time),
    ...(canManageItem(viewer, row) && presentOwnFields(row)),
  };
}

/** Returns the fields that only the owner and admins see. */
function presentOwnFields(
  row: PhotoDetailRow,
): Pick<Photo, 'file_name' | 'location' | 'place_names' | 'rating' | 'file'> {
  const { file_name, place_names, metadata } = row;
  const { location, rating, ...fields } = parseFields(row);
  const { taken_time: time, ...file } = listOtherFileFields({ location, rating, ...fields }, metadata);
  const times = time === undefined ? {} : { taken_time: time === null ? null : timeText(time) };
  return { file_name, location, place_names, rating, file: { ...times, ...file } };
}

export function presentUploadedPhoto(deps: Deps, viewer: Viewer, photo: UploadedPhoto) {
  const { inspection, renditions } = photo.picture;
  const signer = createViewerPathSigner(deps, viewer);
  const name = getFullPictureName(photo.key, {
    image_kind: 'original',
    image_extension: inspection.extension,
    preview_extension: renditions.preview.extension,
    full_extension: renditions.full?.extension ?? '',
  });
  return {
    id: photo.id,
    title: photo.title,
    path: buildImagePath({ name, visibility_now: photo.visibility }, signer),
    thumb: thumbPath({ image_key: photo.key, visibility_now: photo.visibility }, signer),
    width: inspection.width,
    height: inspection.height,
    size: photo.size,
  };
}
