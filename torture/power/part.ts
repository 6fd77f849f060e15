/** `power`: after power cuts, unflushed data is gone, and every acknowledged change must still exist. */
import { createRandom, type Random } from '../../test/support/random.ts';
import { createServers, type Servers } from '../kills/servers.ts';
import { checkAgainstLedger } from '../load/check-ledger.ts';
import { type Faults, noFaults } from '../load/faults.ts';
import { createLoadFigures } from '../load/figures.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { createLoad, registerUsers, someWork, untilPhotos } from '../load/load.ts';
import { atLeast, createInfoFigure, type Part, type Surroundings, untried } from '../part.ts';
import { type DiskKind, kinds } from './disk.ts';
import { type Machine, makeMachine } from './machine.ts';

/** Maximum milliseconds for each cut; two idle cores need about half, and PostgreSQL also recovers. */
const msOfOne = { sqlite: 6000, postgres: 15_000 };
/** With less time, one of the disks gets only a cut or two. */
const minForAllMs = 10_000;
/** Minimum number of photos before the first cut under load. */
const minPhotos = 3;
/** Chance of a power cut while the server starts. */
const startCutShare = 0.4;

export const power: Part = {
  name: 'power',
  about: 'power cuts: what was not flushed is gone; what was acknowledged is there, whole',
  share: 6,
  async run(surroundings) {
    const { name } = surroundings.home;
    const names = kindsFor(surroundings);
    // Totals over all kinds of disks, each of which has its own gallery.
    const [sum, faults] = [createLedger(), noFaults()];
    const cuts: [string, number][] = [];
    for (const kind of names) {
      const machine = await makeMachine(name, kind);
      if (typeof machine === 'string') return [untried('power cuts', machine)];
      const ledger = { ...createLedger(), acknowledged: sum.acknowledged, wrong: sum.wrong };
      const milliseconds = surroundings.milliseconds / names.length;
      try {
        cuts.push([kind, await cutAndLook({ ...surroundings, milliseconds }, machine, ledger, faults)]);
      } finally {
        await machine.end();
      }
    }
    const least = Math.floor(surroundings.milliseconds / names.length / msOfOne[name]);
    return [
      ...cuts.map(([kind, count]) => atLeast(`power cuts on ${kind}`, count, least)),
      ...createLoadFigures(sum, faults),
      createInfoFigure('seed', surroundings.seed),
    ];
  },
};

function kindsFor({ milliseconds, seed }: Surroundings): DiskKind[] {
  const all = Object.keys(kinds) as DiskKind[];
  return milliseconds < minForAllMs ? [createRandom(seed).pick(all)] : all;
}

/** Cuts the power repeatedly and checks the gallery. Returns the number of cuts. */
async function cutAndLook(
  { milliseconds, seed }: Surroundings,
  machine: Machine,
  ledger: Ledger,
  faults: Faults,
): Promise<number> {
  const random = createRandom(seed);
  const { settings } = machine;
  const servers = createServers(settings);
  const end = Date.now() + milliseconds;
  let cuts = 0;
  try {
    // The first starts create the database and the folders.
    for (const after of [random.below(400), random.below(800)]) {
      await servers.killStarting(after);
      cuts += await machine.cut(random);
    }
    await registerUsers(ledger, await servers.start());
    const load = await createLoad(ledger, random);
    for (;;) {
      const begun = Date.now();
      const workers = load.begin(servers.live[0]!);
      await untilPhotos(ledger, minPhotos);
      await someWork(ledger, random);
      await servers.end();
      const [, times] = await Promise.all([workers.end(), machine.cut(random)]);
      cuts += times + (await cutStarts(servers, machine, random));
      const place = await servers.start();
      const isLast = Date.now() + (Date.now() - begun) * 2 > end;
      const isChosen = () => isLast || random.chance(0.3);
      await checkAgainstLedger({
        ledger,
        faults,
        place,
        settings,
        isChosen,
        check: isLast ? 'full' : 'fast',
      });
      if (isLast) return cuts;
    }
  } finally {
    await servers.end();
  }
}

async function cutStarts(servers: Servers, machine: Machine, random: Random): Promise<number> {
  if (!random.chance(startCutShare)) return 0;
  await servers.killStarting(random.below(servers.usualStartMs));
  return machine.cut(random);
}
