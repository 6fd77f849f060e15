/** The index behind `keyword`. Both databases find the same photos; each keeps its own kind of index. */
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export interface SearchText {
  photoId: number;
  userId: number;
  visibility: number;
  /** From `searchText()`. */
  text: string;
}

/** Photos visible to everybody, and the viewer's own private ones. Admins: `everything`. */
export interface SearchScope {
  viewerId: number | undefined;
  everything: boolean;
}

export interface SearchIndex {
  /** Adds or replaces a photo's text, in the transaction that changes the photo. */
  put(transaction: Transaction<Tables>, text: SearchText): Promise<void>;
  remove(transaction: Transaction<Tables>, photoId: number): Promise<void>;
  /** DDL that only this database needs, run by migration 0001. */
  createTables(kysely: Kysely<Tables>): Promise<void>;
}
