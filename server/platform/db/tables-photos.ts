/**
 * Counters of photos: one row of each table for each photo. They are apart from `photos`, so that counting touches few
 * indexes. See tables.ts.
 */
import type { Generated } from 'kysely';
import type { Visibility } from './states.ts';
import type { Kept } from './tables-queries.ts';

export interface PhotoViewsTable {
  photo_id: Kept<number>;
  /** A copy of the photo's visibility, so that one index has a list in order. */
  visibility: Kept<Visibility>;
  views: Generated<number>;
  downloads: Generated<number>;
}

/** Changed while the photo's row is locked. */
export interface PhotoCountsTable {
  photo_id: Kept<number>;
  /** Copies of the photo's columns. */
  user_id: Kept<number>;
  visibility: Kept<Visibility>;
  likes: Generated<number>;
  favorites: Generated<number>;
  /** `comments` includes replies; `comment_threads` counts only comments that are no replies. */
  comments: Generated<number>;
  comment_threads: Generated<number>;
}
