/** A thread with its own SQLite connection, which runs the statements that it receives one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteConnection } from './statements.js';

/**
 * @typedef {object} Work
 * @property {string} sql
 * @property {readonly unknown[]} parameters
 *
 * @property {number | undefined} limitMs
 * @property {boolean | undefined} isInside Whether the statement belongs to a transaction that has begun.
 *
 * @typedef {Work & { id: number }} Request
 *
 * @typedef {{ id: number, result: import('./statements.js').StatementResult }} Success
 * @typedef {{ id: number, failure: { message: string, errcode: number } }} Failure
 * @typedef {Success | Failure | 'begun'} Answer
 */

/** Error code SQLITE_ABORT, https://sqlite.org/rescode.html#abort */
const aborted = 4;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.postMessage('begun');
const connection = openSqliteConnection(workerData.file, workerData.options);

port.on('message', (/** @type {Request | 'close'} */ request) => {
  if (request === 'close') {
    connection.close();
    port.close();
    return;
  }
  port.postMessage(answer(request));
});

/**
 * @param {Request} request
 * @returns {Success | Failure}
 */
function answer({ id, ...work }) {
  try {
    return { id, result: run(work) };
  } catch (error) {
    const { message, errcode } = /** @type {Error & { errcode?: number }} */ (error);
    return { id, failure: { message, errcode: errcode ?? 0 } };
  }
}

/** @param {Work} work */
function run({ sql, parameters, limitMs, isInside }) {
  // A full or failing disk makes SQLite end the transaction. Later statements of that transaction must not run as
  // separate changes.
  if (isInside && !connection.isInTransaction()) throw ended();
  return connection.run(sql, parameters, limitMs);
}

/** Returns SQLITE_ABORT, SQLite's own error for a statement whose transaction was rolled back. */
function ended() {
  return Object.assign(new Error('the transaction has ended'), { errcode: aborted });
}
