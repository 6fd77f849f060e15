/**
 * Whole tables at once, of either database: what moving and backing up a gallery need. Every bulk connection is
 * one of its own, without the timeouts and the routing of the server's.
 */
import type { SearchText } from './search.ts';

/** Every row that it reads is of one moment: that of opening. Holds a few thousand rows at a time. */
export interface BulkReader {
  /** The tables that are ours to copy: no views, no parts of an index, nothing of the database itself. */
  tables(): Promise<Table[]>;
  /** All rows, in batches and in no particular order. */
  read(table: Table): AsyncIterable<Value[][]>;
  /** The rows of a query that both databases understand, in batches. */
  query(sql: string): AsyncIterable<Value[][]>;
  /** Table → the highest id that it ever gave out; 0 for none. */
  highestIds(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/**
 * Fills a database in one transaction, with triggers, foreign keys and indexes put aside: rows may come in any
 * order, and what triggers would write is copied instead.
 */
export interface BulkLoader {
  /** Empties these tables and the search index. */
  clear(tables: Table[]): Promise<void>;
  insert(table: Table, rows: Value[][]): Promise<void>;
  /** Adds to the search index. */
  index(texts: SearchText[]): Promise<void>;
  /** The rows so far, of a query. */
  query(sql: string): AsyncIterable<Value[][]>;
  /** No id up to these is given out again. */
  keepIds(highest: Record<string, number>): Promise<void>;
}

export interface BulkDatabase {
  /** Nothing can be written through it. */
  reader(): Promise<BulkReader>;
  /**
   * Runs `work` and commits; undoes everything when it throws. Throws when a row refers to one that is not there.
   * The schema must be current.
   */
  load(work: (loader: BulkLoader) => Promise<void>): Promise<void>;
}

/** What the index consists of, for filling an empty one at once. */
export interface SearchRows {
  tables: Table[];
  /** One row for each of the tables. */
  rowsOf(text: SearchText): Value[][];
}

/** Rows in one batch: some megabytes of the widest. */
export const batchRows = 2000;

export async function withReader<Result>(
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
  return columns.map(quoted).join(', ');
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Rows of the search index, for `insert`: each of its tables has one of each text. */
export function indexRows({ tables, rowsOf }: SearchRows, texts: SearchText[]): [Table, Value[][]][] {
  const rows = texts.map(rowsOf);
  return tables.map((table, at) => [table, rows.map((row) => row[at]!)]);
}

/** Booleans are 0 or 1; a bigint is only ever written. */
export type Value = null | number | bigint | string | { base64: string };

export interface Table {
  name: string;
  /** In alphabetical order; the order of a row's values everywhere. Generated columns are left out. */
  columns: string[];
}
