/** The database: chosen by URL, opened, and brought up to date. */
import type { OpenedDatabase } from './dialect.ts';
import { migrate } from './migrate.ts';

export type Database = OpenedDatabase;

export interface DatabaseOptions {
  dataDir: string;
  /** `postgres://…`; undefined for SQLite in `dataDir`. */
  url: string | undefined;
  /** Told of trouble that belongs to no request. */
  onError(error: Error): void;
}

/** Opens and migrates. Only the chosen driver is loaded. */
export async function openDatabase({ dataDir, url, onError }: DatabaseOptions): Promise<Database> {
  const database = url
    ? (await import('./postgres.ts')).openPostgres(url, onError)
    : (await import('./sqlite.ts')).openSqlite(dataDir);
  await migrate(database);
  return database;
}
