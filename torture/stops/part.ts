/**
 * The server is stopped by SIGTERM while several users work: it ends by itself, soon, with 0, and what it was doing is
 * done or was never acknowledged. On PostgreSQL with S3 the gallery has two servers, of which one goes on.
 */
import { temporaryFiles } from '../../test/support/holdings.ts';
import { createRandom } from '../../test/support/random.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { createServers, type Servers } from '../kills/servers.ts';
import { figuresOf } from '../load/figures.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { createLoad, registerUsers, someWork } from '../load/load.ts';
import { type Faults, lookAt, noFaults } from '../load/look.ts';
import { errorsIn } from '../log.ts';
import { atLeast, atMost, none, type Part, type Surroundings, told } from '../part.ts';

/** So many milliseconds at most for each stop, on two cores that do other things, too. */
const msOfOne = 5000;
/** A second signal, or whoever runs the server, would end it where it waits for longer. */
const maxStopSeconds = 10;
const cyclesOfCheck = 8;

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
        told('the median', `${(sorted[sorted.length >> 1] ?? 0).toFixed(2)} s`),
        told('requests that were told to try again', ledger.refusals.get(503) ?? 0),
        ...figuresOf(ledger, faults),
        none('temporary files left', await temporaryFiles(home.dataDir)),
        ...(home.name === 'postgres'
          ? [none('connections lost of the server that went on', stops.lost)]
          : []),
        told('seed', seed),
      ];
    } finally {
      await servers.end();
    }
  },
};

async function stopAndLook(surroundings: Surroundings, scene: Scene): Promise<void> {
  const { home, milliseconds, seed, tell } = surroundings;
  const { ledger, faults, servers, stops } = scene;
  const random = createRandom(seed);
  const end = Date.now() + milliseconds;
  const count = home.name === 'postgres' ? 2 : 1;
  while (servers.live.length < count) await servers.start();
  await registerUsers(ledger, servers.live[0]!);
  const load = await createLoad(ledger, random);
  for (let cycle = 1; ; cycle++) {
    const begun = Date.now();
    const workers = servers.live.map((server) => ({ server, work: load.begin(server) }));
    await someWork(ledger, random);
    const victim = random.pick(servers.live);
    await stop(scene, victim);
    for (const { server, work } of workers) {
      const lost = await work.end();
      if (server !== victim) stops.lost += lost;
    }
    await servers.start();
    const isLast = Date.now() + (Date.now() - begun) * 2 > end;
    await lookAt({
      ...{ ledger, faults, place: servers.live.at(-1)!, settings: home },
      isChosen: () => isLast || random.chance(0.1),
      check: isLast ? 'full' : cycle % cyclesOfCheck === 0 ? 'fast' : 'none',
    });
    if (isLast) return;
    if (cycle % 10 === 0) tell(`${stops.seconds.length} stops, ${ledger.photos.length} photos`);
  }
}

async function stop({ servers, stops }: Scene, server: ServerProcess): Promise<void> {
  const begun = performance.now();
  const code = await servers.stop(server);
  stops.seconds.push((performance.now() - begun) / 1000);
  if (code !== 0) stops.wrong.push(`it ended with ${code}`);
  stops.wrong.push(...errorsIn(server.output()));
}
