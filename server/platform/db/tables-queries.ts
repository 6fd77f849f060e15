/** Rows that queries look things up in. See tables.ts. */
import type { ColumnType } from 'kysely';

/** Written by the library alone, which has tables of its own to write them (gallery/library/tables.ts). */
export type Kept<Value> = ColumnType<Value, never, never>;

/** Names of cameras, as photos have them, of all photos that there ever were. */
export interface GearTable {
  name: string;
  /** Folded `name`. */
  name_key: string;
}

/** Photos whose row in the search index is still that of another visibility; gallery/library/search-moves.ts. */
export interface SearchMovesTable {
  photo_id: Kept<number>;
}
