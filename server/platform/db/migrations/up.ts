import { sql } from 'kysely';
import type { OpenedDatabase } from '../dialect.ts';

export type Up = (database: OpenedDatabase, kysely: OpenedDatabase['kysely']) => Promise<void>;

/** Statements of which nothing comes from outside, one after the other. */
export async function runAll(kysely: OpenedDatabase['kysely'], statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
