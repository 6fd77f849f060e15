/** Reads of one turn of the event loop see one moment of an SQLite database, and never an old one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
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

test('so does what arrives while a thousand others are served', async () => {
  const clients = 1200;
  const readBy: unknown[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      readBy.push(read());
      if (readBy.length > 1 && data.toString() !== 'late') return;
      if (data.toString() === 'late') return late.resolve(readBy.at(-1));
      change();
      // The loop has taken a thousand events from those that are ready, and looks again in the same turn.
      last.write('late');
    });
  });
  const late = Promise.withResolvers<unknown>();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1'));
  const last = sockets.at(-1)!;
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await sleep(50);
  for (const socket of sockets) if (socket !== last) socket.write('early');
  const seen = await late.promise;
  for (const socket of sockets) socket.destroy();
  server.close();
  assert.equal(readBy[0], 0);
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

test('a file that is damaged is what a read is told, and nothing else fails for it', async () => {
  const file = join(folder, 'damaged.db');
  const connection = openSqliteConnection(file, options);
  connection.exec('CREATE TABLE texts (text)');
  connection.exec(`INSERT INTO texts WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 400) SELECT printf('%9000d', n) FROM numbers`);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const ofDamaged = createMoments(connection);
  assert.equal(ofDamaged.run('SELECT 1 AS one', []).rows[0]!.one, 1);
  await nextTurn();
  await writeFile(file, Buffer.concat([(await readFile(file)).subarray(0, 4096), Buffer.alloc(4e6, 0xff)]));
  for (let time = 0; time < 3; time++) {
    assert.throws(() => ofDamaged.run('SELECT max(text) FROM texts', []), /malformed/);
    await nextTurn();
  }
  connection.close();
});

test('a moment that could not be ended is taken back', async () => {
  const statements: string[] = [];
  const failing: SqliteConnection = {
    ...reader,
    run(sql, parameters) {
      statements.push(sql);
      if (sql === 'COMMIT') throw new Error('disk I/O error');
      return reader.run(sql, parameters);
    },
    rollBack() {
      statements.push('ROLLBACK');
      reader.rollBack();
    },
  };
  const ofFailing = createMoments(failing);
  ofFailing.run('SELECT n FROM counted', []);
  await nextTurn();
  change();
  assert.equal(ofFailing.run('SELECT n FROM counted', []).rows[0]!.n, 1);
  ofFailing.end();
  const read = ['BEGIN', 'SELECT n FROM counted', 'COMMIT', 'ROLLBACK'];
  assert.deepEqual(statements, [...read, ...read]);
});
