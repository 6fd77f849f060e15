/** Tables that support queries: groups, equipment names and visibility jobs. See `tables.ts`. */
import type { ColumnType } from 'kysely';
import type { VisibilityOutsideTrash } from './states.ts';

/** A column that only the library may write, through its own table types (`gallery/library/tables.ts`). */
export type ReadOnlyColumn<Value> = ColumnType<Value, never, never>;

/**
 * Number of photos per month, camera or lens, by owner (0 for all users) and visibility. See
 * `gallery/library/groups.ts`.
 */
export interface PhotoGroupsTable {
  user_id: ReadOnlyColumn<number>;
  visibility: ReadOnlyColumn<VisibilityOutsideTrash>;
  kind: 'taken' | 'added' | 'camera' | 'lens';
  value: string;
  /** Number of photos in the group, which may be 0. */
  n: ReadOnlyColumn<number>;
  /** Sum of the photos' ratios of width to height, in thousandths. */
  ratio: ReadOnlyColumn<number>;
}

/** Names of cameras and lenses of all photos that have ever existed. */
export interface EquipmentNamesTable {
  name: string;
  /** Equipment name in folded form, for comparisons that ignore case. */
  name_key: string;
}

/** Pending jobs after a change of visibility. See `gallery/library/visibility-jobs.ts`. */
export interface VisibilityJobsTable {
  /**
   * Kind of the job: update the content of an account, update the photos of an album, or update the search index for a
   * photo.
   */
  kind: ReadOnlyColumn<'account' | 'album' | 'photo'>;
  /** Id of the account, the album or the photo, by the job's kind. */
  id: ReadOnlyColumn<number>;
  /** Id of the library's owner. */
  user_id: ReadOnlyColumn<number>;
}
