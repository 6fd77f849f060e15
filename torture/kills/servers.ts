/** The servers of one gallery, which can be started, stopped, and killed while they run or start. */
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import type { TestGallery } from '../gallery-setups.ts';

export interface Servers {
  readonly live: ServerProcess[];
  readonly longestStartMs: number;
  /** Median of the servers' start times, in milliseconds. */
  readonly usualStartMs: number;
  start(): Promise<ServerProcess>;
  kill(server: ServerProcess): Promise<void>;
  /** Stops a server by SIGTERM. Resolves with its exit code, or the signal that ended it. */
  stop(server: ServerProcess): Promise<number | NodeJS.Signals>;
  /** Starts a server and kills it after `afterMs`. Returns whether the server was still starting. */
  killStarting(afterMs: number): Promise<boolean>;
  end(): Promise<void>;
}

export function createServers({
  dataDir,
  environment,
}: Pick<TestGallery, 'dataDir' | 'environment'>): Servers {
  const live: ServerProcess[] = [];
  const startMs: number[] = [];

  function end(server: ServerProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    live.splice(live.indexOf(server), 1);
    return server.end(signal);
  }

  async function kill(server: ServerProcess): Promise<void> {
    await end(server, 'SIGKILL');
  }

  return {
    live,
    get longestStartMs() {
      return Math.max(...startMs);
    },
    get usualStartMs() {
      return startMs.toSorted((one, other) => one - other)[startMs.length >> 1]!;
    },
    kill,
    stop: (server) => end(server, 'SIGTERM'),
    async start() {
      const begun = performance.now();
      const server = await startServer({ dataDir, environment });
      startMs.push(performance.now() - begun);
      live.push(server);
      return server;
    },
    async killStarting(afterMs) {
      const spawned = Promise.withResolvers<number>();
      const started = startServer({ dataDir, environment, onSpawn: spawned.resolve }).then(
        (server) => server,
        (error: Error) => error,
      );
      const pid = await spawned.promise;
      await Promise.race([pause(afterMs), started]);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The server exited by itself, which is reported below.
      }
      const outcome = await started;
      if (outcome instanceof Error) {
        if (!outcome.message.includes('ended with SIGKILL')) throw outcome;
        return true;
      }
      await outcome.end('SIGKILL');
      return false;
    },
    async end() {
      for (const server of [...live]) await kill(server);
    },
  };
}
