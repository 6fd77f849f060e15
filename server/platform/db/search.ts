/**
 * Search index for the parameter `keyword`. Each database has its own kind of index, and the indexes of both databases
 * find the same photos.
 */
import type { Kysely, RawBuilder, SqlBool, Transaction } from 'kysely';
import type { Visibility, VisibilityOutsideTrash } from './states.ts';
import type { Tables } from './tables.ts';

export interface PhotoSearchText {
  photoId: number;
  userId: number;
  /** Visibility of the photo. Photos in the trash are not in the index. */
  visibility: Visibility;
  /** Folded text of the photo, from `gallery/library/search-text.ts`. */
  text: string;
  /** Folded text by which only the owner finds the photo. */
  ownText: string;
}

/** Photos of one visibility, of all users or of one owner. */
export interface SearchScope {
  visibility: VisibilityOutsideTrash;
  userId?: number;
}

/** Entry of a photo in the index. `text` is undefined if the index stores no texts. */
export interface SearchIndexEntry {
  photoId: number;
  visibility: Visibility;
  text: string | undefined;
  /** Text that only the owner finds. Undefined if the index stores no texts; null if the index has no such entry. */
  ownText: string | null | undefined;
}

export interface SearchIndex {
  /** Adds or replaces a photo's text, in the transaction that changes the photo. */
  put(transaction: Transaction<Tables>, text: PhotoSearchText): Promise<void>;
  remove(transaction: Transaction<Tables>, photo: { id: number; user_id: number }): Promise<void>;
  /** Returns the index entries of photos. A damaged index may have several entries for one photo. */
  findEntries(kysely: Kysely<Tables>, photos: { id: number; user_id: number }[]): Promise<SearchIndexEntry[]>;
  /**
   * Returns a subquery for ids of photos in the scope whose text contains all keywords (folded, not empty). For photos
   * that are not private the owner is ignored; the caller's own conditions check the owner. Photos with a job in `visibility_jobs`
   * are found in every scope, because their entry may have an outdated visibility. `isTested` means that the subquery
   * tests single photos instead of finding all matches.
   */
  matches(keywords: string[], scope: SearchScope, isTested?: boolean): RawBuilder<number>;
  /** Returns a subquery for ids of the owner's photos whose own text contains the keyword (folded, not empty). */
  matchesOwn(keyword: string, ownerId: number): RawBuilder<number>;
  /** Indexed texts with photo columns. Undefined if the index stores no texts. */
  texts?: SearchIndexTexts | undefined;
}

/** Photos as stored in the index: the text, and all columns of a photo that queries filter by. */
export interface SearchIndexTexts {
  /** Subquery that replaces the table `photos`, under the same name, in a read that starts from keywords. */
  photos: RawBuilder<unknown>;
  /** Returns a condition for photos whose text contains the keyword (folded, not empty). */
  contain(keyword: string): RawBuilder<SqlBool>;
}

/**
 * Returns the distinct characters and pairs of adjacent characters of a text. The index finds short keywords by these
 * characters and pairs.
 */
export function splitIntoGrams(text: string): Set<string> {
  const grams = new Set<string>();
  let before = '';
  for (const character of text) {
    grams.add(character);
    if (before) grams.add(before + character);
    before = character;
  }
  return grams;
}
