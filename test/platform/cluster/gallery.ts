/**
 * One gallery with several server processes, as on separate machines. The processes share a PostgreSQL, an S3
 * store, and optionally a Redis.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTestDatabase } from '../../support/harness.ts';
import { createPerson, type Person } from '../../support/people.ts';
import { makeBucket, s3Environment } from '../../support/s3.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

export interface Processes {
  servers: ServerProcess[];
  /** Returns one client per process, each signed in as the same person. */
  everywhere(who: Person): Person[];
  close(): Promise<void>;
}

export async function startProcesses(count: number, environment: Record<string, string>): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-processes-'));
  const made = (await makeTestDatabase())!;
  const shared = { DATABASE_URL: made.url, ...s3Environment(await makeBucket()), ...environment };
  const servers: ServerProcess[] = [];
  async function close(): Promise<void> {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await made.drop();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    const starts = await Promise.allSettled(
      Array.from({ length: count }, (_, number) =>
        startServer({ dataDir: join(folder, `machine-${number}`), environment: shared }),
      ),
    );
    for (const start of starts) if (start.status === 'fulfilled') servers.push(start.value);
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    servers,
    everywhere: (who) => servers.map((server) => createPerson(server, who.name, who.token, who.id)),
    close,
  };
}
