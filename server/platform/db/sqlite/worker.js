/** A thread with a SQLite connection of its own: runs the statements that it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteConnection } from './statements.js';

/**
 * @typedef {object} Request
 * @property {number} id
 * @property {string} sql
 * @property {readonly unknown[]} parameters
 * @property {number | undefined} limitMs
 *
 * @typedef {{ id: number, result: import('./statements.js').StatementResult }} Success
 * @typedef {{ id: number, failure: { message: string, errcode: number } }} Failure
 * @typedef {Success | Failure | 'begun'} Answer
 */

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
function answer({ id, sql, parameters, limitMs }) {
  try {
    return { id, result: connection.run(sql, parameters, limitMs) };
  } catch (error) {
    const { message, errcode } = /** @type {Error & { errcode?: number }} */ (error);
    return { id, failure: { message, errcode: errcode ?? 0 } };
  }
}
