/** Photos as JSON: explicit lists of fields, with paths that the viewer may open. */

import type { Deps } from '../../deps.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { PhotoRow, UserRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { objectName } from '../../platform/storage/keys.ts';
import { avatarPath, presentUser } from '../accounts/present.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { fullName, signerFor, thumbPath } from '../delivery/paths.ts';
import { pathFor, type Signer } from '../delivery/signatures.ts';
import type { Photo, PhotoItem } from './schema.ts';
import type { PhotoDetailRow } from './store.ts';
import type { UploadedPhoto } from './upload/upload.ts';

/** What a list item is made of. */
export type PhotoItemRow = Pick<
  PhotoRow,
  'id' | 'user_id' | 'title' | 'image_key' | 'placeholder' | 'create_time'
> &
  Pick<PhotoRow, 'views' | 'likes' | 'favorites' | 'comments' | 'width' | 'height'> &
  Pick<UserRow, 'username' | 'avatar'> & { visibility_now: Visibility };

export function presentItem(row: PhotoItemRow, signer: Signer | undefined): PhotoItem {
  return {
    id: row.id,
    title: row.title,
    thumb: thumbPath(row, signer),
    views: row.views,
    likes: row.likes,
    favorites: row.favorites,
    comments: row.comments,
    user: { id: row.user_id, username: row.username, avatar: avatarPath(row.avatar) },
    create_time: timeText(row.create_time),
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
  };
}

export function presentPhoto(row: PhotoDetailRow, signer: Signer | undefined): Photo {
  const path = (name: string) => pathFor({ name, visibility_now: row.visibility_now }, signer);
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    path: path(fullName(row.image_key, row)),
    preview: path(objectName(row.image_key, 'preview', row.preview_extension)),
    thumb: thumbPath(row, signer),
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
    user: presentUser({ ...row, id: row.user_id }),
    album: row.album_id === null ? null : { id: row.album_id, name: row.album_name ?? '' },
    is_public: row.is_public,
    create_time: timeText(row.create_time),
  };
}

export function presentUploaded(deps: Deps, viewer: Viewer, photo: UploadedPhoto) {
  const { inspection, renditions } = photo.picture;
  const signer = signerFor(deps, viewer);
  const name = fullName(photo.key, {
    image_kind: 'original',
    image_extension: inspection.extension,
    preview_extension: renditions.preview.extension,
    full_extension: renditions.full?.extension ?? '',
  });
  return {
    id: photo.id,
    title: photo.title,
    path: pathFor({ name, visibility_now: photo.visibility }, signer),
    thumb: thumbPath({ image_key: photo.key, visibility_now: photo.visibility }, signer),
    width: inspection.width,
    height: inspection.height,
    size: photo.size,
  };
}
