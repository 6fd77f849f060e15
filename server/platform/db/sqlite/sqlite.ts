/** Opens the embedded database: one file, with a connection for each kind of work. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type SqlBool, sql } from 'kysely';
import { createCallTimes } from '../../process/call-times.ts';
import { findFileSystem, isRemoteFileSystem } from '../../process/file-system.ts';
import { makeFilesPrivate } from '../../process/private-files.ts';
import type { OpenedDatabase, SlowReadOptions } from '../dialect.ts';
import { SignalingKysely } from '../signals.ts';
import type { Tables } from '../tables.ts';
import { createRoutingDriver, createSlowDrivers, sqliteDialect } from './driver.ts';
import { sqliteSearch } from './search.ts';
import { openSqliteConnection } from './statements.js';
import { createSqliteThread } from './thread.ts';

/** Milliseconds a write waits for another process's lock before the client gets a 503. */
const busyTimeoutMs = 5000;
const cacheMb = 16;
/** Maximum threads for slow reads. The second is started when a read comes while another caller's read is running. */
const maxSlowReaders = 2;

export function openSqlite(dataDir: string): OpenedDatabase {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'lightwell.db');
  // The first connection creates the file and turns WAL on; it then serves reads on the main thread. In WAL mode a
  // writer does not block readers, so reads never wait.
  const reader = openSqliteConnection(file, { readOnly: false, busyTimeoutMs, cacheMb });
  reader.exec('PRAGMA query_only = ON');
  const readable = makeFilesPrivate([file, `${file}-wal`, `${file}-shm`]);
  const thread = (readOnly: boolean) => createSqliteThread(file, { readOnly, busyTimeoutMs, cacheMb });
  const writer = thread(false);
  const slowReaders = Array.from({ length: maxSlowReaders }, () => thread(true));
  const calls = createCallTimes();
  const { driver, writes } = createRoutingDriver(reader, writer, calls);
  const kysely = new SignalingKysely<Tables>({ dialect: sqliteDialect(driver) });
  const slow = createSlowDrivers(slowReaders, calls);
  const slowDoors = new Map<number | undefined, Kysely<Tables>>();

  return {
    name: 'sqlite',
    location: file,
    warnings: [...describeNetworkFolder(dataDir), ...describeReadableFiles(readable)],
    kysely,
    slow: ({ limitMs }: SlowReadOptions = {}) =>
      slowDoors.getOrInsertComputed(
        limitMs,
        () => new Kysely({ dialect: sqliteDialect(slow.openDriver(limitMs)) }),
      ),
    deadlineCheck: (id) => sql<SqlBool>`(${sql.ref(id)} & 127 <> 0 OR in_time())`,
    search: sqliteSearch,
    lock: async () => {},
    month: (column) => sql<string>`strftime('%Y-%m', ${sql.ref(column)}, 'unixepoch')`,
    // A transaction on SQLite is the only writer from its beginning, so no lock is needed.
    lockSchema: async () => {},
    readLoad: () => ({
      // The main thread reads, and the writer has a thread.
      connections: 2 + slowReaders.length,
      busy: slow.queue.running,
      waiting: writes.waiting,
      slowRunning: slow.queue.running,
      slowWaiting: slow.queue.waiting,
    }),
    calls,
    ping: async () => {
      reader.run('SELECT 1', []);
    },
    findDamage: (isFast) => findSqliteDamage(file, isFast),
    async close() {
      await kysely.destroy();
      await Promise.all(slowReaders.map((reader) => reader.close()));
      await writer.close();
      reader.close();
    },
  };
}

/** Returns a warning if locks of the file may fail: two processes could then damage the database. */
function describeNetworkFolder(dataDir: string): string[] {
  const type = findFileSystem(dataDir);
  if (type === undefined || !isRemoteFileSystem(type)) return [];
  return [
    `SQLite is on a network file system (${type}): ${dataDir}. Its locks can fail there, and the database can be ` +
      'damaged. Use a local disk for DATA_DIR, or PostgreSQL with DATABASE_URL.',
  ];
}

function describeReadableFiles(files: string[]): string[] {
  if (files.length === 0) return [];
  return [
    `The permissions of ${files[0]} cannot be changed, so other users of this machine may read the database. ` +
      'Make the folder DATA_DIR private.',
  ];
}

const maxComplaints = 100;
const readerOptions = { readOnly: true, busyTimeoutMs: 5000, cacheMb: 16 };

/**
 * Returns damage of the file, one line each, if two checks agree. `isFast` does not compare indexes with their tables.
 */
async function findSqliteDamage(file: string, isFast: boolean): Promise<string[]> {
  const first = await checkFile(file, isFast);
  if (first.length === 0) return [];
  const again = await checkFile(file, isFast);
  return first.filter((complaint) => again.includes(complaint));
}

/**
 * Checks the file on a new connection. A connection that used the search indexes before has cached page positions, and
 * reports newer writes of others as damage.
 */
async function checkFile(file: string, isFast: boolean): Promise<string[]> {
  const thread = createSqliteThread(file, readerOptions);
  try {
    const pragma = `PRAGMA ${isFast ? 'quick_check' : 'integrity_check'}(${maxComplaints})`;
    const pages = await thread.run(pragma, []);
    const strays = await thread.run(`SELECT * FROM pragma_foreign_key_check LIMIT ${maxComplaints}`, []);
    return [
      ...pages.rows.map((row) => String(Object.values(row)[0])).filter((line) => line !== 'ok'),
      ...strays.rows.map(
        ({ table, rowid, parent }) => `row ${rowid} of ${table} refers to a missing row of ${parent}`,
      ),
    ];
  } finally {
    await thread.close();
  }
}
