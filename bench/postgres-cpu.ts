/**
 * Measures the CPU of requests on PostgreSQL, for the server and the database, alternately with and without
 * prepared statements. The database's CPU is that of the backends that serve these connections.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import autocannon from 'autocannon';
import pg from 'pg';
import { median, type Server, startServer } from './measure.ts';

export interface CpuRead {
  name: string;
  headers?: Record<string, string>;
  /** Returns the path of the bench's n-th request. */
  path(n: number): string;
  requests?: number;
}

interface Cost {
  node: number;
  database: number;
}

const rounds = 3;
const defaultRequests = 2000;
const connections = 2 * availableParallelism();
/** Milliseconds of one CPU tick in /proc, which is a hundredth of a second on all common Linux systems. */
const msPerTick = 10;

/** Prints one line for each read. Runs only on Linux, because the database's CPU is read from /proc. */
export async function comparePrepared(dataDir: string, url: string, reads: CpuRead[]): Promise<void> {
  const prepared = await startServer('gallery', dataDir, url);
  process.env.DATABASE_PREPARE = '0';
  const unprepared = await startServer('gallery', dataDir, url);
  delete process.env.DATABASE_PREPARE;
  for (const read of reads) {
    const costs: Record<'before' | 'after', Cost>[] = [];
    for (let round = -1; round < rounds; round++) {
      const before = await measureCost(unprepared, url, read);
      const after = await measureCost(prepared, url, read);
      // The round before the first measured one only fills caches and prepares statements.
      if (round >= 0) costs.push({ before, after });
    }
    report(read.name, costs);
  }
  await Promise.all([prepared.stop(), unprepared.stop()]);
}

function report(name: string, costs: Record<'before' | 'after', Cost>[]): void {
  const of = (which: 'before' | 'after', part: keyof Cost) =>
    median(costs.map((cost) => cost[which][part])).toFixed(2);
  console.log(
    `${name}: node ${of('before', 'node')} -> ${of('after', 'node')} ms, ` +
      `postgres ${of('before', 'database')} -> ${of('after', 'database')} ms (unprepared -> prepared)`,
  );
}

let asked = 0;

async function measureCost(server: Server, url: string, read: CpuRead): Promise<Cost> {
  const requests = read.requests ?? defaultRequests;
  const before = { node: await server.usage(), database: await databaseMs(url) };
  const result = await autocannon({
    url: server.url,
    amount: requests,
    connections,
    headers: read.headers ?? {},
    requests: [{ setupRequest: (request) => ({ ...request, path: read.path(asked++) }) }],
  });
  const { non2xx, errors } = result;
  if (non2xx > 0 || errors > 0) throw new Error(`${read.name}: ${non2xx} answers were not 2xx`);
  const after = { node: await server.usage(), database: await databaseMs(url) };
  return {
    node: (after.node.cpuMicros - before.node.cpuMicros) / 1000 / requests,
    database: (after.database - before.database) / requests,
  };
}

/** Returns the CPU milliseconds of all PostgreSQL backends of servers on this database so far. */
export async function databaseMs(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lightwell'`,
  );
  await client.end();
  return rows.reduce((sum, { pid }) => sum + readTicks(pid) * msPerTick, 0);
}

/**
 * Opens a meter of the database's CPU that includes parallel workers, which end with their query. The meter
 * keeps its connection open, because the end of its own backend would count too.
 */
export async function openDatabaseCpu(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    async cpuMs(): Promise<number> {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lightwell'`,
      );
      const ticks = rows.reduce((sum, { pid }) => sum + readTicks(pid), 0);
      return (ticks + (rows[0] ? readEndedTicks(rows[0].pid) : 0)) * msPerTick;
    },
    close: () => client.end(),
  };
}

/** Returns the ticks of ended processes that this backend's parent process has waited for. */
function readEndedTicks(pid: number): number {
  const parent = readStat(pid)[1]!;
  const fields = readStat(Number(parent));
  return Number(fields[13]) + Number(fields[14]);
}

/** Returns the CPU milliseconds of one process. */
export function readCpuMs(pid: number): number {
  return readTicks(pid) * msPerTick;
}

/** Returns the user and system ticks of a process. */
function readTicks(pid: number): number {
  const fields = readStat(pid);
  return Number(fields[11]) + Number(fields[12]);
}

/**
 * Returns the fields of /proc/PID/stat from the state on, because the command's name before may contain
 * spaces.
 */
function readStat(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ');
}
