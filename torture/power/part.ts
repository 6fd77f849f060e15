/** Power cuts: what was not flushed to the disk is gone, and what was acknowledged is there. */
import { createRandom, type Random } from '../../test/support/random.ts';
import { createServers, type Servers } from '../kills/servers.ts';
import { figuresOf } from '../load/figures.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { createLoad, registerUsers, someWork } from '../load/load.ts';
import { type Faults, lookAt, noFaults } from '../load/look.ts';
import { atLeast, type Part, type Surroundings, told, untried } from '../part.ts';
import { type Disk, type DiskKind, kinds, makeDisk } from './disk.ts';

/** A cut takes about half of it where two cores do nothing else. */
const msOfOne = 6000;
/** Power goes while the server starts. */
const startCutShare = 0.4;

export const power: Part = {
  name: 'power',
  about: 'power cuts: what was not flushed is gone; what was acknowledged is there, whole',
  share: 6,
  homes: ['sqlite'],
  async run(surroundings) {
    const names = Object.keys(kinds) as DiskKind[];
    // One sum of all kinds, with a gallery for each.
    const [sum, faults] = [createLedger(), noFaults()];
    const cuts: [string, number][] = [];
    for (const kind of names) {
      const disk = await makeDisk(kind);
      if (typeof disk === 'string') return [untried('power cuts', disk)];
      const ledger = { ...createLedger(), acknowledged: sum.acknowledged, wrong: sum.wrong };
      const milliseconds = surroundings.milliseconds / names.length;
      try {
        cuts.push([kind, await cutAndLook({ ...surroundings, milliseconds }, disk, ledger, faults)]);
      } finally {
        await disk.end();
      }
    }
    const least = Math.floor(surroundings.milliseconds / names.length / msOfOne);
    return [
      ...cuts.map(([kind, count]) => atLeast(`power cuts on ${kind}`, count, least)),
      ...figuresOf(sum, faults),
      told('seed', surroundings.seed),
    ];
  },
};

/** Returns how often the power was cut. */
async function cutAndLook(
  { milliseconds, seed }: Surroundings,
  disk: Disk,
  ledger: Ledger,
  faults: Faults,
): Promise<number> {
  const random = createRandom(seed);
  const settings = { dataDir: disk.dataDir, environment: {} };
  const servers = createServers(settings);
  const end = Date.now() + milliseconds;
  let cuts = 0;
  try {
    // The first starts make the database and the folders.
    for (const after of [random.below(400), random.below(800)]) {
      await servers.killStarting(after);
      await disk.cut();
      cuts++;
    }
    await registerUsers(ledger, await servers.start());
    const load = await createLoad(ledger, random);
    for (;;) {
      const begun = Date.now();
      const workers = load.begin(servers.live[0]!);
      await someWork(ledger, random);
      await servers.end();
      await Promise.all([workers.end(), disk.cut()]);
      cuts += 1 + (await cutStarts(servers, disk, random));
      const place = await servers.start();
      const isLast = Date.now() + (Date.now() - begun) * 2 > end;
      const isChosen = () => isLast || random.chance(0.3);
      await lookAt({ ledger, faults, place, settings, isChosen, check: isLast ? 'full' : 'fast' });
      if (isLast) return cuts;
    }
  } finally {
    await servers.end();
  }
}

async function cutStarts(servers: Servers, disk: Disk, random: Random): Promise<number> {
  if (!random.chance(startCutShare)) return 0;
  await servers.killStarting(random.below(servers.usualStartMs));
  await disk.cut();
  return 1;
}
