/** Refuses, on PostgreSQL, whatever would change or remove a row of a table. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function keepUnchanged(kysely: Kysely<Tables>, table: keyof Tables): Promise<void> {
  const statements = [
    `CREATE FUNCTION ${table}_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${table} is only ever added to'; END $$`,
    `CREATE TRIGGER ${table}_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION ${table}_unchanged()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
