/** Tables beside `photos`: the albums that contain photos, their counters, and what their files say. See `tables.ts`. */
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

/**
 * Values that the file of a photo has, in one row per photo. The row of `photos` has the values that count. See
 * `gallery/photos/metadata`.
 */
export interface PhotoMetadataTable {
  photo_id: number;
  /** Version of the reader that read the file. 0 means that no reader has read it. */
  reader: Generated<number>;
  /** Wall clock of the capture, or null if the file does not say. */
  taken_time: Generated<number | null>;
  /** Seconds by which that wall clock is ahead of UTC, or null if unknown. */
  time_offset: Generated<number | null>;
  latitude: Generated<number | null>;
  longitude: Generated<number | null>;
  rating: Generated<number>;
  title: Generated<string>;
  description: Generated<string>;
  /** Tags as a JSON array of strings. */
  tags: Generated<string>;
  /** Facts from outside the file, as JSON: see `FileFacts` in `platform/imaging/metadata/fields.ts`. */
  facts: Generated<string>;
  /** Names of the fields that the owner corrected, as a JSON array. */
  corrected: Generated<string>;
}
