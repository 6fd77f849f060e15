/**
 * Counters of photos, one row per photo in each table. The tables are separate from `photos`, so that counting updates
 * few indexes. See `tables.ts`.
 */
import type { Generated } from 'kysely';
import type { Visibility } from './states.ts';
import type { ReadOnlyColumn } from './tables-queries.ts';

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
