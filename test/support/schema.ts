/** Describes the schema of a database by table, with one line for each column, key, index and trigger. */
import { sql } from 'kysely';
import type { OpenedDatabase } from '../../server/platform/db/dialect.ts';

/** Sorted lines by table. Functions of PostgreSQL are listed under an empty name. */
export type Schema = Record<string, string[]>;

export async function describeSchema({ name, kysely }: OpenedDatabase): Promise<Schema> {
  const { rows } = await sql.raw<{ place: string; line: string }>(schemaQueries[name]).execute(kysely);
  const schema: Schema = {};
  for (const { place, line } of rows) {
    schema[place] ??= [];
    schema[place].push(line.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')'));
  }
  for (const lines of Object.values(schema)) lines.sort();
  return schema;
}

const ownTablesCondition = `relnamespace = current_schema()::regnamespace AND relkind = 'r'`;

/**
 * Reads the columns one by one, because SQLite stores other SQL for an altered table than for a new table.
 */
const schemaQueries = {
  sqlite: `
    SELECT tbl_name AS place, sql AS line FROM sqlite_schema
      WHERE sql IS NOT NULL AND (type <> 'table' OR sql LIKE 'CREATE VIRTUAL%')
    UNION ALL SELECT t.name, format('%d %s %s %d %s %d', c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk)
      FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_stat%'
    UNION ALL SELECT t.name, format('key %s %s %s %s', k."from", k."table", k."to", k.on_delete)
      FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table'`,
  postgres: `
    SELECT relname AS place, concat_ws(' ', row_number() OVER (PARTITION BY relname ORDER BY attnum), attname,
        format_type(atttypid, atttypmod), attnotnull, attidentity, collname, pg_get_expr(adbin, adrelid)) AS line
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        LEFT JOIN pg_collation ON pg_collation.oid = attcollation
      WHERE ${ownTablesCondition} AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT relname, concat_ws(' ', 'options', reloptions) FROM pg_class WHERE ${ownTablesCondition}
    UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT relname, concat_ws(' ', conname, pg_get_constraintdef(pg_constraint.oid))
      FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE ${ownTablesCondition} AND contype <> 'n'
    UNION ALL SELECT relname, pg_get_triggerdef(pg_trigger.oid)
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE ${ownTablesCondition} AND NOT tgisinternal
    UNION ALL SELECT '', pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`,
};
