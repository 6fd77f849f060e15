/**
 * Measures the machine's speed for database reads, by a bare SQL statement that reads all of a million
 * photos. The speed of cached responses (`pace.ts`) is independent: on shared machines, both slow down
 * separately, up to twice.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Pace } from './pace.ts';
import { readCpuMs } from './postgres-cpu.ts';
import type { ReadGallery } from './read-cost.ts';

/** CPU milliseconds of the statement on the machine of the limits: the lowest of a hundred rounds. */
const there = { sqlite: 60, postgres: 125 };
/** Statements per round, because PostgreSQL's CPU is counted in hundredths of a second. */
const perRound = 3;
const cacheKb = 16 * 1024;

/** Opens the meter for a database with a million photos, the size for which the limits hold. */
export function openSqlPace(database: ReadGallery['database']): Promise<Pace> {
  return 'url' in database ? openPostgresPace(database.url) : openSqlitePace(database.dataDir);
}

async function openSqlitePace(dataDir: string): Promise<Pace> {
  const database = new DatabaseSync(join(dataDir, 'lightwell.db'));
  database.exec(`PRAGMA query_only = ON; PRAGMA cache_size = ${-cacheKb}`);
  const walk = database.prepare('SELECT count(*) FROM photos INDEXED BY photos_filter WHERE iso + 0 >= 800');
  walk.get();
  return {
    async slowness() {
      const before = process.cpuUsage();
      for (let n = 0; n < perRound; n++) walk.get();
      const { user, system } = process.cpuUsage(before);
      return Math.max(1, (user + system) / 1000 / perRound / there.sqlite);
    },
    async stop() {
      database.close();
    },
  };
}

async function openPostgresPace(url: string): Promise<Pace> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET max_parallel_workers_per_gather = 0');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { pid } = rows[0]!;
  const walk = () => client.query('SELECT count(*) FROM photo_texts WHERE iso + 0 >= 800');
  await walk();
  return {
    async slowness() {
      const before = readCpuMs(pid);
      for (let n = 0; n < perRound; n++) await walk();
      return Math.max(1, (readCpuMs(pid) - before) / perRound / there.postgres);
    },
    stop: () => client.end(),
  };
}
