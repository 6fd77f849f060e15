/** Measures the CPU of one read: of the gallery's server, and of a database in its own process. */
import { type Server, startServer } from './measure.ts';
import { openDatabaseCpu } from './postgres-cpu.ts';

export interface ReadGallery {
  name: string;
  database: { dataDir: string } | { url: string };
  server: Server;
  /** Returns the CPU milliseconds of the server and its database so far. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

export interface Read {
  path: string;
  headers?: Record<string, string>;
}

const rounds = 5;
const perRound = 4;

export async function openOnSqlite(dataDir: string): Promise<ReadGallery> {
  const server = await startServer('gallery', dataDir);
  const cpuMs = async () => (await server.usage()).cpuMicros / 1000;
  return { name: 'SQLite', database: { dataDir }, server, cpuMs, stop: () => server.stop() };
}

/**
 * Opens a gallery on PostgreSQL at `url`. Runs only on Linux, because the database's CPU is read from /proc.
 */
export async function openOnPostgres(url: string, dataDir: string): Promise<ReadGallery> {
  const server = await startServer('gallery', dataDir, url);
  const database = await openDatabaseCpu(url);
  return {
    name: 'PostgreSQL',
    database: { url },
    server,
    cpuMs: async () => (await server.usage()).cpuMicros / 1000 + (await database.cpuMs()),
    async stop() {
      await database.close();
      await server.stop();
    },
  };
}

/** Returns CPU milliseconds: the median of rounds. A first request fills caches and does not count. */
export async function cost(gallery: ReadGallery, read: Read): Promise<number> {
  return (await costInPace(gallery, read, async () => 1)).ms;
}

export interface PacedCost {
  ms: number;
  /** How many times slower the machine was than the machine of the limits, around the measurement. */
  slowness: number;
}

/** Returns the median round, sorted by the time on the machine of the limits. */
export async function costInPace(
  gallery: ReadGallery,
  read: Read,
  slowness: () => Promise<number>,
): Promise<PacedCost> {
  await ask(gallery.server, read);
  const costs: PacedCost[] = [];
  let before = await slowness();
  for (let round = 0; round < rounds; round++) {
    const start = await gallery.cpuMs();
    for (let n = 0; n < perRound; n++) await ask(gallery.server, read);
    const ms = ((await gallery.cpuMs()) - start) / perRound;
    const after = await slowness();
    costs.push({ ms, slowness: (before + after) / 2 });
    before = after;
  }
  const there = (one: PacedCost) => one.ms / one.slowness;
  return costs.sort((one, other) => there(one) - there(other))[(rounds - 1) / 2]!;
}

async function ask({ url }: Server, { path, headers = {} }: Read): Promise<void> {
  const answer = await fetch(url + path, { headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${answer.status} for ${path}`);
}
