/** One gallery of several server processes: one database, one folder, and perhaps one Redis. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDatabase } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

export interface Processes {
  servers: ServerProcess[];
  dataDir: string;
  databaseUrl: string;
  /** The same person, who speaks with each of the processes. */
  everywhere(who: Person): Person[];
  close(): Promise<void>;
}

export async function startProcesses(count: number, environment: Record<string, string>): Promise<Processes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-processes-'));
  const made = (await makeDatabase())!;
  const servers: ServerProcess[] = [];
  async function close(): Promise<void> {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await made.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
  try {
    const options = { dataDir, environment: { DATABASE_URL: made.url, ...environment } };
    const starts = await Promise.allSettled(Array.from({ length: count }, () => startServer(options)));
    for (const start of starts) if (start.status === 'fulfilled') servers.push(start.value);
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    servers,
    dataDir,
    databaseUrl: made.url,
    everywhere: (who) => servers.map((server) => person(server, who.name, who.token, who.id)),
    close,
  };
}
