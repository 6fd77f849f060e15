/**
 * One SQLite connection and its prepared statements; used on the main thread and inside the workers.
 *
 * JavaScript, with its types in comments: a worker thread that loads TypeScript loads the type stripper too,
 * 22 MB a thread.
 */
import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';

/**
 * @typedef {object} StatementResult
 * @property {Record<string, unknown>[]} rows
 * @property {number} changes Rows changed; 0 for a read.
 *
 * @typedef {object} SqliteConnection
 * @property {(sql: string, parameters: readonly unknown[], limitMs?: number) => StatementResult} run A limit holds for
 *   statements that ask `in_time`.
 * @property {() => boolean} isInTransaction
 * @property {(sql: string) => void} exec
 * @property {() => void} close
 *
 * @typedef {object} SqliteOptions
 * @property {boolean} readOnly
 * @property {number} busyTimeoutMs How long a statement waits for another connection's lock.
 * @property {number} cacheMb
 *
 * @typedef {{ statement: import('node:sqlite').StatementSync, columns: string[] }} Prepared
 */

/** A list of ids has a statement for each length: the ones used last are kept. */
const maxStatements = 300;
const walPauseMs = 10;
/** https://sqlite.org/rescode.html#busy */
const busy = 5;
/** https://sqlite.org/rescode.html#interrupt */
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
  // FULL: a commit is on the disk before it is acknowledged, not merely in the WAL's page cache.
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec(`PRAGMA cache_size = ${-cacheMb * 1024}`);
  database.exec('PRAGMA temp_store = MEMORY');
  /** @type {LRUCache<string, Prepared>} */
  const statements = new LRUCache({ max: maxStatements });
  let end = Number.POSITIVE_INFINITY;
  // What it throws ends the statement that asks it, and becomes its error.
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
    // Even a COMMIT reports the last row inserted, and those inside the search indexes exceed 2^53: as a number
    // that is an error, after the commit was made.
    else statement.setReadBigInts(true);
    // A setting takes effect when it is prepared, and only then.
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
 * Of processes that start at once on a new file, SQLite tells all but one that it is busy, without waiting.
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
 * An ordinary object: those that node:sqlite makes have no prototype, and take longer.
 * @param {string[]} columns
 * @param {unknown[]} row
 */
function toObject(columns, row) {
  /** @type {Record<string, unknown>} */
  const object = {};
  for (let at = 0; at < columns.length; at++) object[/** @type {string} */ (columns[at])] = row[at];
  return object;
}
