/** One SQLite connection and its prepared statements; used on the main thread and inside the workers. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

export interface StatementResult {
  rows: Record<string, unknown>[];
  /** Rows changed; 0 for a read. */
  changes: number;
}

export interface SqliteConnection {
  run(sql: string, parameters: readonly unknown[]): StatementResult;
  exec(sql: string): void;
  close(): void;
}

export interface SqliteOptions {
  readOnly: boolean;
  /** How long a statement waits for another connection's lock. */
  busyTimeoutMs: number;
  cacheMb: number;
}

/** Statements kept prepared: more than there are shapes of queries; the oldest goes first. */
const statementsKept = 300;

export function openSqliteConnection(file: string, options: SqliteOptions): SqliteConnection {
  const database = new DatabaseSync(file, { readOnly: options.readOnly, timeout: options.busyTimeoutMs });
  if (!options.readOnly) database.exec('PRAGMA journal_mode = WAL');
  // FULL: a commit is on the disk before it is acknowledged, not merely in the WAL's page cache.
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec(`PRAGMA cache_size = ${-options.cacheMb * 1024}`);
  database.exec('PRAGMA temp_store = MEMORY');
  const statements = new Map<string, { statement: StatementSync; reads: boolean }>();

  function prepare(sql: string) {
    let entry = statements.get(sql);
    if (entry) return entry;
    const statement = database.prepare(sql);
    entry = { statement, reads: statement.columns().length > 0 };
    if (statements.size >= statementsKept) statements.delete(statements.keys().next().value!);
    statements.set(sql, entry);
    return entry;
  }

  return {
    run(sql, parameters) {
      const { statement, reads } = prepare(sql);
      const values = parameters as SQLInputValue[];
      if (reads) return { rows: statement.all(...values) as Record<string, unknown>[], changes: 0 };
      return { rows: [], changes: Number(statement.run(...values).changes) };
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}
