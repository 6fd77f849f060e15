/** What one read costs a gallery: the CPU of its server, and of its database where that is a process of its own. */
import { median, type Server, startServer } from './measure.ts';
import { openDatabaseCpu } from './postgres-cpu.ts';

export interface ReadGallery {
  name: string;
  database: { dataDir: string } | { url: string };
  server: Server;
  /** CPU of the server and its database so far, in milliseconds. */
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

/** `url`: of its database. Linux only: the database's CPU is read from /proc. */
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

/**
 * Milliseconds: the median of rounds; what comes first fills caches, and does not count. `onRound` is called before
 * each of them.
 */
export async function cost(gallery: ReadGallery, read: Read, onRound = async () => {}): Promise<number> {
  await ask(gallery.server, read);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await onRound();
    const before = await gallery.cpuMs();
    for (let n = 0; n < perRound; n++) await ask(gallery.server, read);
    costs.push(((await gallery.cpuMs()) - before) / perRound);
  }
  return median(costs);
}

async function ask({ url }: Server, { path, headers = {} }: Read): Promise<void> {
  const answer = await fetch(url + path, { headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${answer.status} for ${path}`);
}
