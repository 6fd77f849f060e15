/** SQLite checks itself: pages and indexes, and rows whose foreign keys lead nowhere. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

const mostComplaints = 100;

/** One line a complaint. `isFast` does not compare indexes with their tables. */
export async function findSqliteDamage(kysely: Kysely<Tables>, isFast: boolean): Promise<string[]> {
  const pragma = sql.raw(`PRAGMA ${isFast ? 'quick_check' : 'integrity_check'}(${mostComplaints})`);
  const { rows } = await sql<Record<string, string>>`${pragma}`.execute(kysely);
  const complaints = rows.map((row) => Object.values(row)[0]!).filter((line) => line !== 'ok');
  const { rows: strays } = await sql<{
    table: string;
    rowid: number | null;
    parent: string;
  }>`PRAGMA foreign_key_check`.execute(kysely);
  return [
    ...complaints,
    ...strays
      .slice(0, mostComplaints)
      .map(
        ({ table, rowid, parent }) => `row ${rowid} of ${table} names a row of ${parent} that is not there`,
      ),
  ];
}
