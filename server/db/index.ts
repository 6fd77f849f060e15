/** The database: chosen by URL, opened, and brought up to date. */
import type { OpenedDatabase } from './dialect.ts';
import { migrate } from './migrate.ts';
import type { PostgresLimits } from './postgres.ts';

export type Database = OpenedDatabase;

export interface DatabaseOptions {
  dataDir: string;
  /** `postgres://…`; undefined for SQLite in `dataDir`. */
  url: string | undefined;
  /** For PostgreSQL. */
  limits?: PostgresLimits;
  /** Told of trouble that belongs to no request. */
  onError(error: Error): void;
}

const defaultLimits: PostgresLimits = {
  pool: 10,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 15_000,
  lockTimeoutMs: 5000,
};

/** Opens and migrates. Only the chosen driver is loaded. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, url, limits = defaultLimits, onError } = options;
  if (url) return openAndMigratePostgres(url, limits, onError);
  const { openSqlite } = await import('./sqlite.ts');
  return migrated(openSqlite(dataDir));
}

async function openAndMigratePostgres(
  url: string,
  limits: PostgresLimits,
  onError: (error: Error) => void,
): Promise<Database> {
  const { openPostgres } = await import('./postgres.ts');
  // A migration may take longer than any request: it has a connection without our limits.
  const unhurried = { ...limits, pool: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 };
  await (await migrated(openPostgres(url, unhurried, onError))).close();
  return openPostgres(url, limits, onError);
}

async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
