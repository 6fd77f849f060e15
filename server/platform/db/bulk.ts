/**
 * Reads or writes whole tables of SQLite or PostgreSQL, for moving and backing up a gallery. Each bulk operation has
 * its own connection, without the timeouts and the routing of connections that serve requests.
 */
import type { PhotoSearchText } from './search.ts';

/** Reads all rows from one snapshot, taken when the reader is opened. Holds a few thousand rows in memory. */
export interface BulkReader {
  /** Returns the gallery's own tables, without views, search indexes and system tables. */
  tables(): Promise<BulkTable[]>;
  /** Yields all rows of a table in batches, in no particular order. */
  read(table: BulkTable): AsyncIterable<ColumnValue[][]>;
  /** Yields the rows of a query in batches. The query must be valid on SQLite and PostgreSQL. */
  query(sql: string): AsyncIterable<ColumnValue[][]>;
  /** Returns the highest id that each table ever assigned; 0 if it assigned none. */
  highestIds(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/**
 * Fills a database in one transaction while triggers, foreign keys and indexes are removed. Rows may arrive in any
 * order. Rows that triggers would write are copied instead.
 */
export interface BulkLoader {
  /** Deletes all rows of the tables and of the search index. */
  clear(tables: BulkTable[]): Promise<void>;
  insert(table: BulkTable, rows: ColumnValue[][]): Promise<void>;
  /** Adds texts to the search index. */
  index(texts: PhotoSearchText[]): Promise<void>;
  /** Runs a query on the database that is being filled, and yields the resulting rows in batches. */
  query(sql: string): AsyncIterable<ColumnValue[][]>;
  /** Sets the id counters of tables, so that ids up to the given ones are not assigned again. */
  advanceIdSequences(highest: Record<string, number>): Promise<void>;
}

export interface BulkDatabase {
  /** Opens a read-only connection to the database. */
  reader(): Promise<BulkReader>;
  /**
   * Runs `work` in a transaction and commits; rolls back when it throws. Throws when a foreign key points to a missing
   * row. The schema must be current.
   */
  load(work: (loader: BulkLoader) => Promise<void>): Promise<void>;
}

/** Tables and rows of a search index, for filling an empty index at once. */
export interface SearchIndexRows {
  tables: BulkTable[];
  /** Returns the index rows of a photo's texts, for each of the index's tables. */
  searchRows(text: PhotoSearchText): ColumnValue[][][];
}

/** Rows per batch. The widest rows make some megabytes. */
export const bulkRowsPerBatch = 2000;

export async function withBulkReader<Result>(
  database: BulkDatabase,
  work: (reader: BulkReader) => Promise<Result>,
): Promise<Result> {
  const reader = await database.reader();
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}

export function columnList(columns: string[]): string {
  return columns.map(quoteName).join(', ');
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns rows of the search index for `insert`, for each table of the index. */
export function buildSearchIndexRows(
  { tables, searchRows }: SearchIndexRows,
  texts: PhotoSearchText[],
): [BulkTable, ColumnValue[][]][] {
  const rows = texts.map(searchRows);
  return tables.map((table, at) => [table, rows.flatMap((row) => row[at]!)]);
}

/** Value of a column. Booleans are 0 or 1. A bigint is only written, never read. */
export type ColumnValue = null | number | bigint | string | { base64: string };

export interface BulkTable {
  name: string;
  /** Columns in alphabetical order, the order of all rows' values. Generated columns are left out. */
  columns: string[];
}
