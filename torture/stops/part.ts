/**
 * The server is stopped by SIGTERM while several users work: it ends by itself, soon, with 0, and what it was doing is
 * done or was never acknowledged. On PostgreSQL with S3 the gallery has two servers, of which one goes on.
 */
import { listTemporaryFiles } from '../../test/support/gallery-counts.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { runCycles } from '../kills/cycles.ts';
import { createServers, type Servers } from '../kills/servers.ts';
import { type Faults, noFaults } from '../load/faults.ts';
import { createLoadFigures } from '../load/figures.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { errorsIn } from '../log.ts';
import { atLeast, atMost, createInfoFigure, none, type Part, type Surroundings } from '../part.ts';

/** So many milliseconds at most for each stop, with its start and load, on two slow cores that do other things, too. */
const msOfOne = 10_000;
/** A second signal, or whoever runs the server, would end it where it waits for longer. */
const maxStopSeconds = 10;

interface Stops {
  /** Seconds that each took. */
  seconds: number[];
  /** Those that ended otherwise than with 0, or whose log has an error. */
  wrong: string[];
  /** Connections to servers that were not stopped. */
  lost: number;
}

interface Scene {
  ledger: Ledger;
  faults: Faults;
  servers: Servers;
  stops: Stops;
}

export const stops: Part = {
  name: 'stops',
  about: 'SIGTERM under a mixed load: it ends by itself, with 0, and what was acknowledged is there',
  share: 4,
  async run(surroundings) {
    const { home, milliseconds, seed } = surroundings;
    const ledger = createLedger();
    // To a server that ends, whoever comes late is told to try again.
    ledger.refusals.set(503, 0);
    const faults = noFaults();
    const servers = createServers(home);
    const stops: Stops = { seconds: [], wrong: [], lost: 0 };
    try {
      await stopAndLook(surroundings, { ledger, faults, servers, stops });
      const sorted = stops.seconds.toSorted((one, other) => one - other);
      return [
        atLeast('stops under load', sorted.length, Math.floor(milliseconds / msOfOne)),
        none('stops that did not end with 0, or with errors in the log', stops.wrong),
        atMost('longest stop', sorted.at(-1) ?? 0, maxStopSeconds, 's'),
        createInfoFigure('the median', `${(sorted[sorted.length >> 1] ?? 0).toFixed(2)} s`),
        createInfoFigure('requests that were told to try again', ledger.refusals.get(503) ?? 0),
        ...createLoadFigures(ledger, faults),
        none('temporary files left', await listTemporaryFiles(home.dataDir)),
        ...(home.name === 'postgres'
          ? [none('connections lost of the server that went on', stops.lost)]
          : []),
        createInfoFigure('seed', seed),
      ];
    } finally {
      await servers.end();
    }
  },
};

async function stopAndLook(surroundings: Surroundings, scene: Scene): Promise<void> {
  const { servers, stops } = scene;
  await runCycles(surroundings, {
    ...scene,
    async trouble(workers, random) {
      const victim = random.pick(servers.live);
      await stop(scene, victim);
      for (const [server, work] of workers) {
        const lost = await work.end();
        if (server !== victim) stops.lost += lost;
      }
      await servers.start();
    },
    isEnough: () => true,
    done: () => `${stops.seconds.length} stops`,
  });
}

async function stop({ servers, stops }: Scene, server: ServerProcess): Promise<void> {
  const begun = performance.now();
  const code = await servers.stop(server);
  stops.seconds.push((performance.now() - begun) / 1000);
  if (code !== 0) stops.wrong.push(`it ended with ${code}`);
  stops.wrong.push(...errorsIn(server.output()));
}
