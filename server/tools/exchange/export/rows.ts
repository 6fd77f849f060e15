/** Reads the albums and photos of a user for an export, with their edits and comments. */
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { notTrashedCondition } from '../../../gallery/library/visibility-sql.ts';
import { purgingDeleteTime } from '../../../gallery/photos/trash/purge.ts';
import { yieldRowPages } from '../../../platform/db/pages.ts';
import type { AlbumRow, EditRow, PhotoCounters, PhotoRow } from '../../../platform/db/tables.ts';

const pageSize = 100;

export type ExportedAlbum = Pick<
  AlbumRow,
  'id' | 'parent_id' | 'name' | 'description' | 'level' | 'create_time' | 'update_time' | 'rule'
> & { cover_sha256: string | null };

/** Row of a photo for an export. `liked` and `favorited` are the times of the owner's own reactions, or null. */
export type ExportedPhoto = PhotoRow &
  Omit<PhotoCounters, 'comment_threads'> & {
    /** Position in the main album, or null without one. */
    position: number | null;
    extension: string;
    liked: number | null;
    favorited: number | null;
  };

/** Returns all albums of a user at once, the oldest first, because an export needs a folder for each. */
export function findAlbums({ db }: Deps, userId: number): Promise<ExportedAlbum[]> {
  return db
    .slow()
    .selectFrom('albums')
    .leftJoin('photos', 'photos.id', 'albums.cover_id')
    .select(['albums.id', 'albums.parent_id', 'albums.name', 'albums.description', 'albums.level'])
    .select(['albums.create_time', 'albums.update_time', 'albums.rule', 'photos.sha256 as cover_sha256'])
    .where('albums.user_id', '=', userId)
    .orderBy('albums.id')
    .execute();
}

/** Yields the photos of an album in the album's order, or the photos without an album if `albumId` is null. */
export function yieldPhotosOfAlbum(
  { db }: Deps,
  userId: number,
  albumId: number | null,
): AsyncGenerator<ExportedPhoto[]> {
  return yieldRowPages(
    { position: -1, id: 0 },
    pageSize,
    (photo: ExportedPhoto) => ({ position: photo.position ?? 0, id: photo.id }),
    (after, size) =>
      exportedPhotos(db, userId)
        .where('photos.album_id', albumId === null ? 'is' : '=', albumId)
        .where(notTrashedCondition)
        .where((is) =>
          is.or([
            is(mainPosition, '>', after.position),
            is.and([is(mainPosition, '=', after.position), is('photos.id', '>', after.id)]),
          ]),
        )
        .orderBy(mainPosition)
        .orderBy('photos.id')
        .limit(size)
        .execute(),
  );
}

/** Yields the photos in a user's trash, the first deletion first, except a photo that is being purged. */
export function yieldTrashedPhotos({ db }: Deps, userId: number): AsyncGenerator<ExportedPhoto[]> {
  return yieldRowPages(
    { time: purgingDeleteTime, id: Number.MAX_SAFE_INTEGER },
    pageSize,
    (photo: ExportedPhoto) => ({ time: photo.delete_time!, id: photo.id }),
    (after, size) =>
      exportedPhotos(db, userId)
        .where((is) =>
          is.or([
            is('photos.delete_time', '>', after.time),
            is.and([is('photos.delete_time', '=', after.time), is('photos.id', '>', after.id)]),
          ]),
        )
        .orderBy('photos.delete_time')
        .orderBy('photos.id')
        .limit(size)
        .execute(),
  );
}

/** Position of a photo in its main album. Photos without one are sorted by id. */
const mainPosition = sql<number>`coalesce(main.position, 0)`;

function exportedPhotos(db: Deps['db'], userId: number) {
  return db
    .slow()
    .selectFrom('photos')
    .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
    .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
    .innerJoin('images', 'images.key', 'photos.original_key')
    .leftJoin('likes', (join) =>
      join.onRef('likes.photo_id', '=', 'photos.id').onRef('likes.user_id', '=', 'photos.user_id'),
    )
    .leftJoin('favorites', (join) =>
      join.onRef('favorites.photo_id', '=', 'photos.id').onRef('favorites.user_id', '=', 'photos.user_id'),
    )
    .leftJoin('album_photos as main', (join) =>
      join.onRef('main.photo_id', '=', 'photos.id').onRef('main.album_id', '=', 'photos.album_id'),
    )
    .selectAll('photos')
    .select('main.position')
    .select(['photo_views.views', 'photo_views.downloads'])
    .select(['photo_counts.likes', 'photo_counts.favorites', 'photo_counts.comments'])
    .select(['images.extension', 'likes.create_time as liked', 'favorites.create_time as favorited'])
    .where('photos.user_id', '=', userId);
}

/** Counts the photos of a user, including those in the trash. */
export async function countUserPhotos({ db }: Deps, userId: number): Promise<number> {
  const { n } = await db
    .slow()
    .selectFrom('photo_totals')
    .select(sql<number>`coalesce(sum(n), 0)`.as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function doesPhotoExist({ db }: Deps, photoId: number): Promise<boolean> {
  const photo = await db
    .slow()
    .selectFrom('photos')
    .select('id')
    .where('id', '=', photoId)
    .executeTakeFirst();
  return photo !== undefined;
}

export function findEditRows({ db }: Deps, photoId: number): Promise<EditRow[]> {
  return db.slow().selectFrom('edits').selectAll().where('photo_id', '=', photoId).orderBy('id').execute();
}

/** Returns the albums that contain a photo by reference, with its position in each. */
export function findAlbumReferences({ db }: Deps, { id, album_id }: Pick<PhotoRow, 'id' | 'album_id'>) {
  return db
    .slow()
    .selectFrom('album_photos')
    .select(['album_id', 'position'])
    .where('photo_id', '=', id)
    .where('album_id', '<>', album_id ?? 0)
    .orderBy('album_id')
    .execute();
}

export function findPhotoComments({ db }: Deps, photoId: number) {
  return db
    .slow()
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select([
      'comments.id',
      'comments.parent_id',
      'comments.content',
      'comments.create_time',
      'comments.likes',
    ])
    .select(['users.username', 'users.status'])
    .where('comments.photo_id', '=', photoId)
    .orderBy('comments.id')
    .execute();
}
