/** Repeats cycles of load, trouble and check until the time is over, on one server or, on PostgreSQL, two. */
import { createRandom, type Random } from '../../test/support/random.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { checkAgainstLedger } from '../load/check-ledger.ts';
import type { Faults } from '../load/faults.ts';
import type { Ledger } from '../load/ledger.ts';
import { createLoad, registerUsers, someWork, type Workers } from '../load/load.ts';
import type { Surroundings } from '../part.ts';
import type { Servers } from './servers.ts';

/** Number of cycles between checks of the whole gallery, without the contents of its objects. */
const cyclesOfCheck = 8;
const cyclesPerReport = 10;

/** The workers that send requests to each server. */
export type WorkersByServer = Map<ServerProcess, Workers>;

export interface Cycles {
  ledger: Ledger;
  faults: Faults;
  servers: Servers;
  /** Causes trouble under load. Ends all workers, and leaves as many servers running as before. */
  trouble(workers: WorkersByServer, random: Random): Promise<void>;
  /** Returns whether the cycles may end when the time is over. */
  isEnough(): boolean;
  /** Returns a summary such as `12 kills`. */
  done(): string;
}

export async function runCycles(
  { home, milliseconds, seed, tell }: Surroundings,
  { ledger, faults, servers, trouble, isEnough, done }: Cycles,
): Promise<void> {
  const random = createRandom(seed);
  const end = Date.now() + milliseconds;
  const count = home.name === 'postgres' ? 2 : 1;
  while (servers.live.length < count) await servers.start();
  await registerUsers(ledger, servers.live[0]!);
  const load = await createLoad(ledger, random);
  for (let cycle = 1; ; cycle++) {
    const begun = Date.now();
    const workers = new Map(servers.live.map((server) => [server, load.begin(server)]));
    await someWork(ledger, random);
    await trouble(workers, random);
    const isLast = isEnough() && Date.now() + (Date.now() - begun) * 2 > end;
    await checkAgainstLedger({
      ...{ ledger, faults, place: servers.live.at(-1)!, settings: home },
      isChosen: () => isLast || random.chance(0.1),
      check: isLast ? 'full' : cycle % cyclesOfCheck === 0 ? 'fast' : 'none',
    });
    if (isLast) return;
    if (cycle % cyclesPerReport === 0) tell(`${done()}, ${ledger.photos.length} photos`);
  }
}
