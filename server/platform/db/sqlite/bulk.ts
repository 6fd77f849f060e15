/** Bulk operations on SQLite. See `bulk.ts`. */
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type BulkDatabase,
  type BulkLoader,
  type BulkReader,
  type BulkTable,
  buildSearchIndexRows,
  bulkRowsPerBatch,
  type ColumnValue,
  columnList,
  quoteName,
} from '../bulk.ts';
import { sqliteSearchRows } from './search.ts';

/** Milliseconds to wait for another process, which may be in a long write. */
const busyTimeoutMs = 60_000;
const cacheMb = 64;

export function sqliteBulk(dataDir: string): BulkDatabase {
  const file = join(dataDir, 'lightwell.db');
  return {
    reader: async () => openReader(file),
    async load(work) {
      const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
      try {
        database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = ${-cacheMb * 1024}; BEGIN IMMEDIATE`);
        const putBack = dropIndexesAndTriggers(database);
        await work(createLoader(database));
        putBack();
        checkForeignKeys(database);
        database.exec('COMMIT');
      } finally {
        // Closing the connection rolls back an uncommitted transaction.
        database.close();
      }
    },
  };
}

function openReader(file: string): BulkReader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  database.exec('BEGIN');
  // The first read in the transaction creates the snapshot.
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  return {
    tables: async () => findTables(database),
    read: ({ name, columns }) => readRows(database, `SELECT ${columnList(columns)} FROM ${quoteName(name)}`),
    query: (sql) => readRows(database, sql),
    async highestIds() {
      const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').all();
      return Object.fromEntries(rows.map(({ name, seq }) => [name, Number(seq)]));
    },
    close: async () => database.close(),
  };
}

function createLoader(database: DatabaseSync): BulkLoader {
  const insert = ({ name, columns }: BulkTable, rows: ColumnValue[][]) => {
    const places = columns.map(() => '?').join(', ');
    const statement = database.prepare(
      `INSERT INTO ${quoteName(name)} (${columnList(columns)}) VALUES (${places})`,
    );
    // `run` returns the last row id as a number, and row ids of the search index exceed 2^53.
    statement.setReadBigInts(true);
    for (const row of rows) statement.run(...row.map(toSqlite));
  };
  return {
    async clear(tables) {
      for (const { name } of tables) database.exec(`DELETE FROM ${quoteName(name)}`);
      for (const { name } of sqliteSearchRows.tables) {
        database.exec(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`);
      }
    },
    insert: async (table, rows) => insert(table, rows),
    async index(texts) {
      for (const [table, rows] of buildSearchIndexRows(sqliteSearchRows, texts)) insert(table, rows);
    },
    query: (sql) => readRows(database, sql),
    async advanceIdSequences(highest) {
      for (const [table, id] of Object.entries(highest)) {
        database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
        database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, BigInt(id));
      }
    },
  };
}

/**
 * Drops triggers and secondary indexes, and returns a function that restores them. Building indexes at the end is
 * faster.
 */
function dropIndexesAndTriggers(database: DatabaseSync): () => void {
  const parts = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema
        WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY type, name`,
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name } of parts) database.exec(`DROP ${type} ${quoteName(name)}`);
  return () => {
    for (const { sql } of parts) database.exec(sql);
  };
}

function checkForeignKeys(database: DatabaseSync): void {
  const [first] = database.prepare('PRAGMA foreign_key_check').all();
  if (first) throw new Error(`a row of ${first.table} refers to a missing row of ${first.parent}`);
}

function findTables(database: DatabaseSync): BulkTable[] {
  const names = database
    .prepare(
      `SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name`,
    )
    .all() as { name: string }[];
  return names.map(({ name }) => {
    const columns = database.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0').all(name);
    return { name, columns: columns.map((column) => column.name as string).sort() };
  });
}

async function* readRows(database: DatabaseSync, sql: string): AsyncGenerator<ColumnValue[][]> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  let batch: ColumnValue[][] = [];
  for (const row of statement.iterate() as unknown as Iterable<unknown[]>) {
    batch.push(row.map(fromSqlite));
    if (batch.length < bulkRowsPerBatch) continue;
    yield batch;
    batch = [];
    // Reading is synchronous, so the event loop gets a chance to run timers and signals here.
    await nextTurn();
  }
  if (batch.length > 0) yield batch;
}

function fromSqlite(value: unknown): ColumnValue {
  return value instanceof Uint8Array
    ? { base64: Buffer.from(value).toString('base64') }
    : (value as ColumnValue);
}

function toSqlite(value: ColumnValue): SQLInputValue {
  return value !== null && typeof value === 'object' ? Buffer.from(value.base64, 'base64') : value;
}
