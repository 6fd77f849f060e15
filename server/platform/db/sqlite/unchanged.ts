/** Refuses, on SQLite, whatever would change or remove a row of a table, a replacing insert included. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function keepUnchanged(kysely: Kysely<Tables>, table: keyof Tables): Promise<void> {
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table} is only ever added to'); END`;
  const statements = [
    `CREATE TRIGGER ${table}_not_updated BEFORE UPDATE ON ${table} ${refuse}`,
    `CREATE TRIGGER ${table}_not_deleted BEFORE DELETE ON ${table} ${refuse}`,
    `CREATE TRIGGER ${table}_not_replaced BEFORE INSERT ON ${table}
      WHEN EXISTS (SELECT 1 FROM ${table} WHERE id = NEW.id) ${refuse}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
