import { type RawBuilder, sql } from 'kysely';

/** Whether a folded column contains a folded text, whose `%` and `_` stand for themselves. */
export function containing(column: string, folded: string): RawBuilder<boolean> {
  const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}
