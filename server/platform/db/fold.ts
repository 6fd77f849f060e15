/**
 * Folds text for comparisons that ignore case, in any script and identically on both databases. The LOWER() functions
 * of the databases differ: SQLite's handles ASCII only.
 */
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the folded text. Upper case followed by lower case also unites ß with ss, and ligatures with their letters.
 * The first lower case turns ẞ into ß. The final sigma is the only remaining exception.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/**
 * Returns a condition for a folded column that contains a folded text. `%` and `_` in the text match only themselves.
 */
export function containsFolded(column: string, folded: string): RawBuilder<boolean> {
  const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}
