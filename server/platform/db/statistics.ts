/** Statistics for the query planners. Without statistics a planner only guesses which index finds few rows. */
import { sql } from 'kysely';
import { type OpenedDatabase, unlimitedReadOptions } from './dialect.ts';

/**
 * Flags for https://sqlite.org/pragma.html#pragma_optimize: analyze tables that need it (0x02), and consider all tables
 * (0x10000), not only those this connection has read. Sampling (0x10) is off: a sample takes a column with two values
 * for one that finds a thousandth of all rows.
 */
const optimizeMask = 0x10002;
/** Flag that returns the statements instead of running them. */
const listOnly = 0x01;

/**
 * Updates the statistics after migrations, after bulk imports, hourly, and at a clean stop. SQLite analyzes a table
 * whose size has changed tenfold, which takes three seconds for a million photos. PostgreSQL analyzes only for
 * `isBulk`, when many rows came at once. PostgreSQL's autovacuum otherwise analyzes some minutes after tables have
 * grown.
 */
export async function updatePlannerStatistics(db: OpenedDatabase, { isBulk = false } = {}): Promise<void> {
  if (db.name === 'sqlite') await optimizeSqlite(db);
  else if (isBulk) await analyzePostgres(db);
}

/** Runs on the writing connection, which has its own thread. */
async function optimizeSqlite({ kysely }: OpenedDatabase): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql.raw(`PRAGMA optimize = ${optimizeMask | listOnly}`).execute(transaction);
    if (rows.length === 0) return;
    await sql.raw(`PRAGMA optimize = ${optimizeMask}`).execute(transaction);
    // Other connections read the statistics only together with the schema, so the schema has to change.
    await sql`CREATE TABLE statistics_changed (id integer)`.execute(transaction);
    await sql`DROP TABLE statistics_changed`.execute(transaction);
  });
}

async function analyzePostgres({ slow }: OpenedDatabase): Promise<void> {
  const kysely = slow(unlimitedReadOptions);
  // Without table names, ANALYZE prints a warning for each system table that it may not read.
  const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = current_schema()`.execute(kysely);
  await sql`ANALYZE ${sql.join(rows.map(({ name }) => sql.id(name)))}`.execute(kysely);
}
