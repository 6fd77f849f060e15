/** A table and its values, as both databases and an archive hold them. */

/** Booleans are 0 or 1; a bigint is only ever written. */
export type Value = null | number | bigint | string | { base64: string };

export interface Table {
  name: string;
  /** In alphabetical order; the order of a row's values everywhere. Generated columns are left out. */
  columns: string[];
}
