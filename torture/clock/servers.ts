/** The servers of one gallery, one of which has a clock that can be moved. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import type { TestGallery } from '../gallery-setups.ts';

/** The first sweep after a start and those that follow, so that they meet the jumps. */
const sooner = { 30000: 300, 3600000: 700 };

export interface ClockServers {
  /** All that live: that with the clock first, and on PostgreSQL with S3 another, whose clock is right. */
  live(): ServerProcess[];
  /** Seconds ahead of the right time, or behind. */
  setClock(seconds: number): void;
  /** Of that with the clock: killed, or stopped. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** All that they wrote, one after the other. */
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
