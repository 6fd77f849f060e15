/**
 * `stops`: the server is stopped by SIGTERM while several users work. The server must exit with 0 by itself
 * and soon, and every running change must be complete or unacknowledged. On PostgreSQL with S3 the gallery
 * has two servers, and the other continues.
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

/** Maximum milliseconds for each stop with its start and load, on two slow busy cores. */
const msOfOne = 10_000;
/** Limit of a stop in seconds; a server manager would kill the server after a longer wait. */
const maxStopSeconds = 10;

interface Stops {
  /** Duration of each stop in seconds. */
  seconds: number[];
  /** Stops with another exit code than 0, or with an error in the log. */
  wrong: string[];
  /** Lost connections to servers that were not stopped. */
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
    // A stopping server answers late requests with 503.
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
