/**
 * A SQLite connection with its prepared statements, used on the main thread and in worker threads.
 *
 * JavaScript with types in comments, because a worker thread that loads TypeScript also loads the type stripper,
 * which takes 22 MB per thread.
 */
import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

/**
 * @typedef {object} StatementResult
 * @property {Record<string, unknown>[]} rows
 * @property {number} changes Rows changed; 0 for a read.
 *
 * @typedef {object} SqliteConnection
 * @property {(sql: string, parameters: readonly unknown[], limitMs?: number) => StatementResult} run The limit applies
 *   only to statements that call `in_time`.
 *
 * @property {() => boolean} isInTransaction
 * @property {(sql: string) => void} exec
 * @property {() => void} close
 *
 * @typedef {object} SqliteOptions
 * @property {boolean} readOnly
 * @property {number} busyTimeoutMs Milliseconds a statement waits for another connection's lock.
 * @property {number} cacheMb
 *
 * @typedef {{ statement: import('node:sqlite').StatementSync, columns: string[] }} Prepared
 */

/**
 * Maximum cached statements. A list of ids needs one statement per length, so the least recently used statements are
 * dropped.
 */
const maxStatements = 300;
const walPauseMs = 10;
/** Error code SQLITE_BUSY, https://sqlite.org/rescode.html#busy */
const busy = 5;
/** Error code SQLITE_INTERRUPT, https://sqlite.org/rescode.html#interrupt */
const interrupted = 9;
const setting = /^PRAGMA \w+ =/;

/**
 * @param {string} file
 * @param {SqliteOptions} options
 * @returns {SqliteConnection}
 */
export function openSqliteConnection(file, { readOnly, busyTimeoutMs, cacheMb }) {
  const database = new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs });
  if (!readOnly) turnWalOn(database, busyTimeoutMs);
  // With FULL, a commit is on the disk before it is acknowledged, not only in the operating system's cache.
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec(`PRAGMA cache_size = ${-cacheMb * 1024}`);
  database.exec('PRAGMA temp_store = MEMORY');
  /** @type {LRUCache<string, Prepared>} */
  const statements = new LRUCache({ max: maxStatements });
  let end = Number.POSITIVE_INFINITY;
  // An error thrown here stops the statement that calls the function, and becomes that statement's error.
  database.function('in_time', () => {
    if (performance.now() > end) throw Object.assign(new Error('the time is over'), { errcode: interrupted });
    return 1;
  });

  /** @param {string} sql */
  function prepare(sql) {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const columns = statement.columns().map(({ name }) => name);
    const entry = { statement, columns };
    if (columns.length > 0) statement.setReturnArrays(true);
    // Even a COMMIT reports the last inserted row id. Row ids of the search indexes exceed 2^53, and as a number they
    // would cause an error after the commit.
    else statement.setReadBigInts(true);
    // A PRAGMA takes effect only when it is prepared, so it is not cached.
    if (setting.test(sql)) return entry;
    statements.set(sql, entry);
    return entry;
  }

  /** @type {SqliteConnection['run']} */
  function run(sql, parameters, limitMs = Number.POSITIVE_INFINITY) {
    end = performance.now() + limitMs;
    const { statement, columns } = prepare(sql);
    const values = /** @type {import('node:sqlite').SQLInputValue[]} */ (parameters);
    if (columns.length === 0) return { rows: [], changes: Number(statement.run(...values).changes) };
    const rows = /** @type {unknown[][]} */ (/** @type {unknown} */ (statement.all(...values)));
    return { rows: rows.map((row) => toObject(columns, row)), changes: 0 };
  }

  return {
    run,
    isInTransaction: () => database.isTransaction,
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

/**
 * Turns WAL on and retries while SQLite is busy. If processes open a new file at the same time, SQLite reports all but
 * one as busy without waiting.
 * @param {DatabaseSync} database
 * @param {number} timeoutMs
 */
function turnWalOn(database, timeoutMs) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return database.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      const isBusy = /** @type {{ errcode?: number }} */ (error).errcode === busy;
      if (!isBusy || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, walPauseMs);
    }
  }
}

/**
 * Returns a row as an ordinary object. The row objects of node:sqlite have no prototype and are slower.
 * @param {string[]} columns
 * @param {unknown[]} row
 */
function toObject(columns, row) {
  /** @type {Record<string, unknown>} */
  const object = {};
  for (let at = 0; at < columns.length; at++) object[/** @type {string} */ (columns[at])] = row[at];
  return object;
}
