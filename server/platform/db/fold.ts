/**
 * Folds text so that a comparison needs no regard to case, in any script, the same on both databases
 * (their own LOWER() differ: SQLite's knows ASCII only).
 */
import { type RawBuilder, sql } from 'kysely';

/**
 * Upper, then lower case also unites ß and ss, ﬀ and ff; lower case before that makes ß of ẞ. The final sigma is the
 * one exception left.
 */
export function fold(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/** Whether a folded column contains a folded text, whose `%` and `_` stand for themselves. */
export function containing(column: string, folded: string): RawBuilder<boolean> {
  const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}
