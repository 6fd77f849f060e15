/** The index behind `keyword`. Both databases find the same photos; each keeps its own kind of index. */
import type { Kysely, RawBuilder, SqlBool, Transaction } from 'kysely';
import type { Shown, Visibility } from './states.ts';
import type { Tables } from './tables.ts';

export interface SearchText {
  photoId: number;
  userId: number;
  /** What is in the trash is not in the index. */
  visibility: Visibility;
  /** Folded; from gallery/library/search-text.ts. */
  text: string;
}

/** Photos of one visibility, of everybody or of one owner. */
export interface SearchScope {
  visibility: Shown;
  userId?: number;
}

/** A photo's place in the index; `text` is undefined where the index keeps no texts. */
export interface SearchEntry {
  photoId: number;
  visibility: Visibility;
  text: string | undefined;
}

export interface SearchIndex {
  /** Adds or replaces a photo's text, in the transaction that changes the photo. */
  put(transaction: Transaction<Tables>, text: SearchText): Promise<void>;
  remove(transaction: Transaction<Tables>, photo: { id: number; user_id: number }): Promise<void>;
  /** What the index holds of these photos; several entries of one where it should hold but one. */
  entriesOf(kysely: Kysely<Tables>, photos: { id: number; user_id: number }[]): Promise<SearchEntry[]>;
  /**
   * A subquery of the ids of photos in the scope whose text contains the keyword (folded, not empty), exactly.
   * For what is public the owner is not looked at: the caller's own conditions do that. Photos with a job in
   * `visibility_jobs`, whose row may say an outdated visibility, are found in every scope.
   * `isTested`: it is to tell of single photos whether they match, and not to find all that do.
   */
  matches(keyword: string, scope: SearchScope, isTested?: boolean): RawBuilder<number>;
  /** Undefined where the index keeps no texts. */
  texts?: SearchTexts | undefined;
}

/** Photos as the index keeps them: beside its text, each has all that queries ask of a photo's row. */
export interface SearchTexts {
  /** What stands for the table `photos`, under that name, in a read that begins with words. */
  photos: RawBuilder<unknown>;
  /** Whether such a photo has the keyword (folded, not empty) in its text. */
  contain(keyword: string): RawBuilder<SqlBool>;
}

/** The distinct characters and pairs of neighbouring characters of a text: what short keywords are found by. */
export function gramsOf(text: string): Set<string> {
  const grams = new Set<string>();
  let before = '';
  for (const character of text) {
    grams.add(character);
    if (before) grams.add(before + character);
    before = character;
  }
  return grams;
}
