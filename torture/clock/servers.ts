/** The servers of one gallery; the clock of one of them can be moved. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import type { TestGallery } from '../gallery-setups.ts';

/** Delays of maintenance runs in milliseconds, shortened so that they meet the jumps. */
const sooner = { 30000: 300, 3600000: 700 };

export interface ClockServers {
  /**
   * All running servers: first the one with the movable clock. On PostgreSQL with S3, a second has the
   * correct clock.
   */
  live(): ServerProcess[];
  /** Moves the clock by seconds from the correct time, forward or back. */
  setClock(seconds: number): void;
  /** Restarts the server with the movable clock, by a kill or a stop. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Returns the output of all servers, one after the other. */
  output(): string;
  end(): Promise<void>;
}

export async function startServers({ name, dataDir, environment }: TestGallery): Promise<ClockServers> {
  const laterFile = join(dataDir, 'clock.txt');
  const setClock = (seconds: number) => writeFileSync(laterFile, String(seconds));
  setClock(0);
  const start = () => startServer({ dataDir, environment, laterFile, sooner });
  let moved = await start();
  const gone: ServerProcess[] = [];
  const others = name === 'postgres' ? [await startServer({ dataDir, environment, sooner })] : [];

  return {
    live: () => [moved, ...others],
    output: () => [...gone, moved, ...others].map((server) => server.output()).join('\n'),
    setClock,
    async restart(signal) {
      await moved.end(signal);
      gone.push(moved);
      moved = await start();
    },
    async end() {
      for (const server of [moved, ...others]) await server.end('SIGKILL');
    },
  };
}
