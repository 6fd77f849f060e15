/** Statistics of the query planners: without them a planner guesses which index finds few rows. */
import { sql } from 'kysely';
import { type OpenedDatabase, unlimited } from './dialect.ts';

/**
 * Flags of https://sqlite.org/pragma.html#pragma_optimize: analyze what needs it (0x02), and look at all tables
 * (0x10000), not only at those that this connection has read. Whole, not by a sample (0x10): a sample takes a column with
 * two values, such as the visibility, for one that finds a thousandth of all rows.
 */
const optimize = 0x10002;
/** Returns the statements instead of running them. */
const listOnly = 0x01;

/**
 * Brings the statistics up to date: after migrations, after bulk imports, hourly and at a clean stop. SQLite analyzes a
 * table once it has ten times as many rows as before, or a tenth: three seconds at a million photos. PostgreSQL does so
 * for `isBulk`, when many rows have come at once: its autovacuum analyzes by itself, some minutes after tables have grown.
 */
export async function updateStatistics(db: OpenedDatabase, { isBulk = false } = {}): Promise<void> {
  if (db.name === 'sqlite') await optimizeSqlite(db);
  else if (isBulk) await analyzePostgres(db);
}

/** Runs on the connection that writes, in a thread of its own. */
async function optimizeSqlite({ kysely }: OpenedDatabase): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql.raw(`PRAGMA optimize = ${optimize | listOnly}`).execute(transaction);
    if (rows.length === 0) return;
    await sql.raw(`PRAGMA optimize = ${optimize}`).execute(transaction);
    // Other connections read statistics together with the schema, so the schema has to change.
    await sql`CREATE TABLE statistics_changed (id integer)`.execute(transaction);
    await sql`DROP TABLE statistics_changed`.execute(transaction);
  });
}

async function analyzePostgres({ slow }: OpenedDatabase): Promise<void> {
  const kysely = slow(unlimited);
  // Without names, ANALYZE warns of each system table that it may not read.
  const { rows } = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = current_schema()`.execute(kysely);
  await sql`ANALYZE ${sql.join(rows.map(({ name }) => sql.id(name)))}`.execute(kysely);
}
