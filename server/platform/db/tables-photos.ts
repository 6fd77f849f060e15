/** Tables beside `photos`: the albums that contain photos, and the counters of photos. See `tables.ts`. */
import type { Generated } from 'kysely';
import type { Visibility } from './states.ts';
import type { ReadOnlyColumn } from './tables-queries.ts';

/** The albums that contain a photo: its main album and the albums that contain it by reference. */
export interface AlbumPhotosTable {
  album_id: ReadOnlyColumn<number>;
  photo_id: ReadOnlyColumn<number>;
  /** Position of the photo in the manual order of the album, unique there. */
  position: ReadOnlyColumn<number>;
  /** Copies of the photo's columns, so that one index range returns an album's list. */
  visibility: ReadOnlyColumn<Visibility>;
  create_time: ReadOnlyColumn<number>;
  /** Id of the user who added the photo. The account may have been deleted since. */
  added_by: ReadOnlyColumn<number>;
  added_time: ReadOnlyColumn<number>;
}

/** Counters in a table of their own, so that counting a view updates few indexes. One row per photo. */
export interface PhotoViewsTable {
  photo_id: ReadOnlyColumn<number>;
  /** Copy of the photo's visibility, so that a single index can return a list in order. */
  visibility: ReadOnlyColumn<Visibility>;
  views: Generated<number>;
  downloads: Generated<number>;
}

/** Counters that are changed only while the photo's row is locked. */
export interface PhotoCountsTable {
  photo_id: ReadOnlyColumn<number>;
  /** Copies of the photo's owner and visibility, so that indexes of this table can contain them. */
  user_id: ReadOnlyColumn<number>;
  visibility: ReadOnlyColumn<Visibility>;
  likes: Generated<number>;
  favorites: Generated<number>;
  /** Numbers of comments. `comments` includes replies; `comment_threads` counts only comments that are not replies. */
  comments: Generated<number>;
  comment_threads: Generated<number>;
}
