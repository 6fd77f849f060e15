/** Rows that queries look things up in. See tables.ts. */
import type { ColumnType } from 'kysely';
import type { Shown } from './states.ts';

/** Written by the library alone, which has tables of its own to write them (gallery/library/tables.ts). */
export type Kept<Value> = ColumnType<Value, never, never>;

/** Photos of a month, a camera or a lens, per owner (0: everybody) and visibility: gallery/library/groups.ts. */
export interface PhotoGroupsTable {
  user_id: Kept<number>;
  visibility: Kept<Shown>;
  kind: 'taken' | 'added' | 'camera' | 'lens';
  value: string;
  /** May be 0. */
  n: Kept<number>;
  /** Sum of width by height, in thousandths. */
  ratio: Kept<number>;
}

/** Names of cameras and lenses, as photos have them, of all photos that there ever were. */
export interface EquipmentNamesTable {
  name: string;
  /** Folded `name`. */
  name_key: string;
}

/** Jobs that a change of visibility leaves: gallery/library/visibility-jobs.ts. */
export interface VisibilityJobsTable {
  /** Albums and photos of an account follow its status, photos of an album its row, the search index a photo. */
  kind: Kept<'account' | 'album' | 'photo'>;
  /** The id of the account, the album or the photo. */
  id: Kept<number>;
  /** The owner of the library. */
  user_id: Kept<number>;
}
