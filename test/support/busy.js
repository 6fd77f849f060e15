/**
 * Preloaded before a program so that tests need not wait for seconds. The program's SQLite connections wait
 * BUSY_TIMEOUT milliseconds for a lock. Each statement that fails because of a lock prints a line on standard
 * error.
 */
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';

const timeout = Number(process.env.BUSY_TIMEOUT);
/** SQLite's result code for a locked database: https://sqlite.org/rescode.html#busy */
const busy = 5;

sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
  /**
   * @param {string} file
   * @param {import('node:sqlite').DatabaseSyncOptions} options
   */
  constructor(file, options) {
    super(file, { ...options, timeout });
  }
};
syncBuiltinESMExports();

const { prototype } = sqlite.StatementSync;
prototype.run = new Proxy(prototype.run, {
  apply(run, statement, values) {
    try {
      return Reflect.apply(run, statement, values);
    } catch (error) {
      if (/** @type {{ errcode?: number }} */ (error).errcode === busy) console.error('busy');
      throw error;
    }
  },
});
