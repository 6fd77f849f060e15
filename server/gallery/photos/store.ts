/** Finds one photo, checks that the viewer can see or manage it, and reads its details. */

import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type PreparedRead, prepareRead } from '../../platform/db/prepared.ts';
import type { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, PhotoCounters, PhotoMetadataRow, PhotoRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { ImageNameColumns } from '../delivery/paths.ts';
import type { AuthorColumns } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canManageItem, canSee, isTrashed } from '../library/permissions.ts';
import {
  albumCurrentVisibilityColumn,
  currentVisibilityByOwner,
  currentVisibilityColumn,
} from '../library/visibility-sql.ts';
import { recordAdminLook } from '../moderation/admin-looks.ts';
import { type PhotoMetadata, parseMetadataRow } from './metadata/store.ts';

/** Row of a photo, with the current visibility, which decides who can see the photo. */
export type PhotoWithVisibility = PhotoRow & { visibility_now: Visibility };

/**
 * Returns the row of a photo that the viewer can see. Throws photoNotFound for an unknown or trashed photo, and
 * photoForbidden for a private one.
 */
export async function getVisiblePhoto(
  deps: Deps,
  viewer: Viewer | undefined,
  id: number,
): Promise<PhotoWithVisibility> {
  const photo = await getPhoto(deps, id);
  if (!canSee(viewer, photo)) throw errors.photoForbidden();
  recordAdminLook(deps, viewer, photo);
  return photo;
}

/** Returns the row of a photo that the viewer can change. Throws photoNotFound or photoForbidden. */
export async function getManageablePhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
): Promise<PhotoWithVisibility> {
  const photo = await getPhoto(deps, id);
  if (!canManageItem(viewer, photo)) throw errors.photoForbidden();
  recordAdminLook(deps, viewer, photo);
  return photo;
}

async function getPhoto({ db }: Deps, id: number): Promise<PhotoWithVisibility> {
  const photo = await db.kysely
    .selectFrom('photos')
    .selectAll()
    .select(currentVisibilityColumn)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!photo || isTrashed(photo)) throw errors.photoNotFound();
  return photo;
}

export type PhotoDetailRow = PhotoWithVisibility &
  Omit<PhotoCounters, 'comment_threads'> &
  ImageNameColumns &
  AuthorColumns & {
    owner_status: UserStatus;
    liked: number | null;
    favorited: number | null;
    /** All albums that contain the photo, visible or not, the main album first. */
    albums: ContainingAlbum[];
    metadata: PhotoMetadata;
  };

export type ContainingAlbum = Pick<AlbumRow, 'id' | 'name' | 'user_id'> & { visibility_now: Visibility };

/**
 * Returns the function that reads a photo's row with its owner, its albums and the viewer's reactions. The viewer 0 is
 * anonymous.
 */
export function createFindPhotoDetail(deps: Deps) {
  const find = prepareDetail(deps);
  const findAlbums = prepareAlbums(deps);
  const findMetadata = prepareMetadata(deps);
  return async (id: number, viewer: number): Promise<PhotoDetailRow | undefined> => {
    const [rows, albums, [metadata]] = await Promise.all([
      find({ id, viewer }),
      findAlbums({ id }),
      findMetadata({ id }),
    ]);
    const [row] = deps.db.counters.addPending(['photoViews', 'photoDownloads'], rows);
    return row && { ...row, albums, metadata: parseMetadataRow(metadata) };
  };
}

function prepareMetadata({ db }: Deps): PreparedRead<PhotoMetadataRow> {
  return prepareRead<PhotoMetadataRow>(db, (query, arg) =>
    query.selectFrom('photo_metadata').selectAll().where('photo_id', '=', arg<number>('id')),
  );
}

function prepareAlbums({ db }: Deps): PreparedRead<ContainingAlbum> {
  return prepareRead<ContainingAlbum>(db, (query, arg) =>
    query
      .selectFrom('album_photos')
      .innerJoin('photos', 'photos.id', 'album_photos.photo_id')
      .innerJoin('albums', 'albums.id', 'album_photos.album_id')
      .select(['albums.id', 'albums.name', 'albums.user_id', albumCurrentVisibilityColumn()])
      .where('album_photos.photo_id', '=', arg<number>('id'))
      .orderBy(sql`CASE WHEN albums.id = photos.album_id THEN 0 ELSE 1 END`)
      .orderBy('albums.name_key')
      .orderBy('albums.id'),
  );
}

function prepareDetail({ db }: Deps): PreparedRead<Omit<PhotoDetailRow, 'albums' | 'metadata'>> {
  return prepareRead<Omit<PhotoDetailRow, 'albums' | 'metadata'>>(db, (query, arg) =>
    query
      .selectFrom('photos')
      .innerJoin('users', 'users.id', 'photos.user_id')
      .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
      .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
      .innerJoin('images', 'images.key', 'photos.image_key')
      .leftJoin('likes', (join) =>
        join.onRef('likes.photo_id', '=', 'photos.id').on('likes.user_id', '=', arg<number>('viewer')),
      )
      .leftJoin('favorites', (join) =>
        join
          .onRef('favorites.photo_id', '=', 'photos.id')
          .on('favorites.user_id', '=', arg<number>('viewer')),
      )
      .selectAll('photos')
      .select([
        currentVisibilityByOwner,
        'photo_views.views',
        'photo_views.downloads',
        'photo_counts.likes',
        'photo_counts.favorites',
        'photo_counts.comments',
        'images.kind as image_kind',
        'images.extension as image_extension',
        'images.full_extension',
        'users.status as owner_status',
        'users.username',
        'users.nickname',
        'users.avatar',
        'likes.create_time as liked',
        'favorites.create_time as favorited',
      ])
      .where('photos.id', '=', arg<number>('id')),
  );
}
