/** Reads of one turn of the event loop see one moment of an SQLite database, and never an old one. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { createMoments, type Moments } from '../../../server/platform/db/sqlite/moments.ts';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../server/platform/db/sqlite/statements.js';

const options = { readOnly: false, busyTimeoutMs: 0, cacheMb: 1 };

let folder: string;
let reader: SqliteConnection;
let other: SqliteConnection;
let moments: Moments;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightwell-moments-'));
  [reader, other] = [join(folder, 'one.db'), join(folder, 'one.db')].map((file) =>
    openSqliteConnection(file, options),
  ) as [SqliteConnection, SqliteConnection];
  other.exec('CREATE TABLE counted (n integer)');
  other.exec('INSERT INTO counted VALUES (0)');
  moments = createMoments(reader);
});
after(async () => {
  moments.end();
  for (const connection of [reader, other]) connection.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await nextTurn();
  other.exec('UPDATE counted SET n = 0');
});

const read = () => moments.run('SELECT n FROM counted', []).rows[0]!.n;
const change = () => other.exec('UPDATE counted SET n = n + 1');

test('one turn is one moment, the next another', async () => {
  assert.equal(read(), 0);
  change();
  assert.equal(read(), 0);
  await Promise.resolve();
  assert.equal(read(), 0, 'what follows at once is the same turn');
  await nextTurn();
  assert.equal(read(), 1);
});

test('what a turn receives sees all that was committed before it arrived', async () => {
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  port2.on('message', () => resolve(read()));
  setImmediate(() => {
    // After the turn's events: what ends this moment comes after the events of the next.
    assert.equal(read(), 0);
    change();
    port1.postMessage('arrives in the next turn');
  });
  const seen = await promise;
  port1.close();
  assert.equal(seen, 1);
});

test('what this process is told of is seen at once', () => {
  assert.equal(read(), 0);
  change();
  moments.end();
  assert.equal(read(), 1);
});

test('after a turn nothing is held: the whole log can be written back', async () => {
  read();
  change();
  const writeBack = () => other.run('PRAGMA wal_checkpoint(TRUNCATE)', []).rows[0]!.busy;
  assert.equal(writeBack(), 1, 'a moment is held');
  await nextTurn();
  assert.equal(writeBack(), 0);
});

test('a read that fails is the only one that does', () => {
  assert.equal(read(), 0);
  assert.throws(() => moments.run('SELECT n FROM missing', []), /no such table/);
  change();
  assert.equal(read(), 1, 'its moment has ended');
});
