/** SQLite checks itself: pages and indexes, and rows whose foreign keys lead nowhere. */
import { createSqliteThread, type SqliteThread } from './thread.ts';

const maxComplaints = 100;
const options = { readOnly: true, busyTimeoutMs: 5000, cacheMb: 16 };

/** One line a complaint. `isFast` does not compare indexes with their tables. */
export async function findSqliteDamage(file: string, isFast: boolean): Promise<string[]> {
  const first = await complaintsOf(file, isFast);
  if (first.length === 0) return [];
  const again = await complaintsOf(file, isFast);
  return first.filter((complaint) => again.includes(complaint));
}

/**
 * On a connection of its own: one that has used the search indexes before remembers where their pages were, and takes
 * what others have written since for damage.
 */
async function complaintsOf(file: string, isFast: boolean): Promise<string[]> {
  const thread = createSqliteThread(file, options);
  try {
    return [...(await brokenPages(thread, isFast)), ...(await strayRows(thread))];
  } finally {
    await thread.close();
  }
}

async function brokenPages(thread: SqliteThread, isFast: boolean): Promise<string[]> {
  const pragma = `PRAGMA ${isFast ? 'quick_check' : 'integrity_check'}(${maxComplaints})`;
  const { rows } = await thread.run(pragma, []);
  return rows.map((row) => String(Object.values(row)[0])).filter((line) => line !== 'ok');
}

async function strayRows(thread: SqliteThread): Promise<string[]> {
  const { rows } = await thread.run(`SELECT * FROM pragma_foreign_key_check LIMIT ${maxComplaints}`, []);
  return rows.map(
    ({ table, rowid, parent }) => `row ${rowid} of ${table} names a row of ${parent} that is gone`,
  );
}
