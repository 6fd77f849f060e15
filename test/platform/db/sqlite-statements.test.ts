/** Tests a SQLite connection and its prepared statements. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqliteConnection } from '../../../server/platform/db/sqlite/statements.js';

test('a commit after a row number beyond 2^53 is no error', () => {
  const connection = openSqliteConnection(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheMb: 1 });
  connection.run('CREATE TABLE numbers (id integer primary key)', []);
  connection.run('BEGIN IMMEDIATE', []);
  // Inserts an id above 2^53, like the internal rows of SQLite's search indexes have.
  const inserted = connection.run('INSERT INTO numbers (id) VALUES (9009535716950016)', []);
  assert.deepEqual(inserted, { rows: [], changes: 1 });
  connection.run('COMMIT', []);
  connection.run('BEGIN IMMEDIATE', []);
  connection.run('ROLLBACK', []);
  assert.deepEqual({ ...connection.run('SELECT count(*) AS n FROM numbers', []).rows[0] }, { n: 1 });
  connection.close();
});

test('a statement in use stays prepared, however many others are run once', (t) => {
  const connection = openSqliteConnection(':memory:', { readOnly: false, busyTimeoutMs: 0, cacheMb: 1 });
  const { mock } = t.mock.method(DatabaseSync.prototype, 'prepare');
  for (let n = 0; n < 700; n++) {
    connection.run('SELECT 1 AS hot', []);
    connection.run(`SELECT ${n} AS cold`, []);
  }
  const hot = mock.calls.filter(({ arguments: [statement] }) => statement === 'SELECT 1 AS hot');
  assert.equal(hot.length, 1);
  connection.close();
});
