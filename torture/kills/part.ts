/**
 * `kills`: the server is killed at random moments while several users work, and while it starts. On
 * PostgreSQL with S3 the gallery has two servers, and mostly only one of them is killed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { listTemporaryFiles } from '../../test/support/gallery-counts.ts';
import type { Random } from '../../test/support/random.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { type Faults, noFaults } from '../load/faults.ts';
import { createLoadFigures } from '../load/figures.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { atLeast, createInfoFigure, none, type Part, type Surroundings } from '../part.ts';
import { runCycles, type WorkersByServer } from './cycles.ts';
import { createServers, type Servers } from './servers.ts';

/** Maximum milliseconds for each kill under load on two busy cores; two servers take longer. */
const msOfOne = { sqlite: 4000, postgres: 6500 };
/** Maximum milliseconds for which the other server continues alone after a kill. */
const longestAloneMs = 200;
/** Chance that the next start is killed too, and the one after that. */
const startKillShare = 0.35;
/** Chance that users work on the other server during a start, which makes the start slow. */
const busyStartShare = 0.25;

interface Kills {
  working: number;
  starting: number;
}

export const kills: Part = {
  name: 'kills',
  about: 'kill -9 under a mixed load and while starting; what was acknowledged is there, whole',
  share: 23,
  async run(surroundings) {
    const { home, milliseconds, seed } = surroundings;
    const least = surroundings.kills ?? Math.floor(milliseconds / msOfOne[home.name]);
    const ledger = createLedger();
    const faults = noFaults();
    const servers = createServers(home);
    const kills = { working: 0, starting: 0 };
    try {
      const lost = await killAndLook(surroundings, { ledger, faults, servers, kills });
      return [
        ...createLoadFigures(ledger, faults),
        atLeast('kills under load', kills.working, least),
        createInfoFigure('kills of a server that was starting', kills.starting),
        createInfoFigure('longest start', `${Math.round(servers.longestStartMs)} ms`),
        none('temporary files left', await listTemporaryFiles(home.dataDir)),
        ...(home.name === 'postgres'
          ? [none('connections lost or wrong answers of the server that went on', lost)]
          : []),
        createInfoFigure('seed', seed),
      ];
    } finally {
      await servers.end();
    }
  },
};

interface Scene {
  ledger: Ledger;
  faults: Faults;
  servers: Servers;
  kills: Kills;
}

/** Kills servers and checks the gallery. Returns how often connections to other servers failed. */
async function killAndLook(surroundings: Surroundings, scene: Scene): Promise<number> {
  const { servers, kills } = scene;
  let lost = 0;
  await runCycles(surroundings, {
    ...scene,
    async trouble(workers, random) {
      const { live } = servers;
      const victims = live.length > 1 && random.chance(0.8) ? [random.pick(live)] : [...live];
      await Promise.all(victims.map((victim) => servers.kill(victim)));
      kills.working += victims.length;
      // Lost connections to killed servers are not faults.
      await endWorkers(workers, victims);
      await pause(random.below(longestAloneMs));
      if (!random.chance(busyStartShare)) lost += await endWorkers(workers, live);
      kills.starting += await killStarts(servers, random);
      await Promise.all(victims.map(() => servers.start()));
      lost += await endWorkers(workers, [...workers.keys()]);
    },
    isEnough: () => kills.working >= (surroundings.kills ?? 0),
    done: () => `${kills.working + kills.starting} kills`,
  });
  return lost;
}

/** Ends the workers of the servers. Returns how many had lost their connection. */
async function endWorkers(workers: WorkersByServer, servers: ServerProcess[]): Promise<number> {
  let lost = 0;
  for (const server of servers) {
    lost += await (workers.get(server)?.end() ?? 0);
    workers.delete(server);
  }
  return lost;
}

/** Kills servers during their start. Returns how many were killed. */
async function killStarts(servers: Servers, random: Random): Promise<number> {
  let killed = 0;
  while (random.chance(startKillShare)) {
    if (await servers.killStarting(random.below(servers.usualStartMs))) killed++;
  }
  return killed;
}
