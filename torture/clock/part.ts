/**
 * `clock`: the server's clock jumps back and forth by minutes to two days, while users work and while it
 * starts. On PostgreSQL with S3 a second server has the correct clock. After correction, the gallery must
 * work as if nothing had happened.
 */
import assert from 'node:assert/strict';
import { eventually } from '../../test/support/gallery-counts.ts';
import { createPerson, logIn, type Person } from '../../test/support/people.ts';
import { createRandom, type Random } from '../../test/support/random.ts';
import { readUploadHead } from '../../test/support/uploads.ts';
import type { TestGallery } from '../gallery-setups.ts';
import { checkAgainstLedger } from '../load/check-ledger.ts';
import { type Faults, noFaults } from '../load/faults.ts';
import { createLoadFigures } from '../load/figures.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { createLoad, type Load, registerUsers, someWork } from '../load/load.ts';
import { tryAll } from '../load/try-all.ts';
import { atLeast, createInfoFigure, type Figure, none, type Part, type Surroundings } from '../part.ts';
import { leftovers, overdue } from '../trouble/leftovers.ts';
import { type ClockServers, startServers } from './servers.ts';

/** Maximum milliseconds for each jump on two busy cores; two servers take longer. */
const msOfOne = { sqlite: 6000, postgres: 15_000 };
/** A store refuses signatures of another time, and its client learns the correct time from the refusal. */
const patienceMs = { sqlite: 0, postgres: 10_000 };
const day = 86_400;
const jumps = [60, 600, 3600, day, 2 * day];
const maxJumps = 4;
const restartShare = 0.4;
/** Seconds after every time that a clock has shown here, so that everything is due. */
const afterAll = 5 * day;
const sweptMs = 30_000;

interface Scene {
  home: TestGallery;
  random: Random;
  ledger: Ledger;
  load: Load;
  servers: ClockServers;
  faults: Faults;
  seen: { jumps: number; restarts: number; ended: number };
  /** Kinds of change that failed after the clock was corrected. */
  notRecovered: string[];
  /** Sessions that ended although they were valid, or stayed valid although they had expired. */
  sessions: string[];
}

export const clock: Part = {
  name: 'clock',
  about: 'a clock that jumps by up to two days, also across restarts; nothing is lost, and all goes on',
  share: 5,
  async run(surroundings) {
    const { home, milliseconds, seed } = surroundings;
    const servers = await startServers(home);
    try {
      const scene = await openScene(surroundings, servers);
      await jumpAndLook(surroundings, scene);
      const left = await neverSwept(scene);
      // Records of a clock that was days behind are overdue until the maintenance run, so the check waits for
      // that.
      await purgeEnded(scene);
      await checkAgainstLedger({
        ...{ ledger: scene.ledger, faults: scene.faults, settings: home, place: servers.live()[0]! },
        isChosen: () => false,
        check: 'full',
      });
      return createFigures(scene, Math.floor(milliseconds / msOfOne[home.name]), left, seed);
    } finally {
      await servers.end();
    }
  },
};

async function openScene({ home, seed }: Surroundings, servers: ClockServers): Promise<Scene> {
  const random = createRandom(seed);
  const ledger = createLedger();
  // Objects that looked like old orphans are refused with 503, and clients may send them again.
  ledger.refusals.set(503, 0);
  await registerUsers(ledger, servers.live()[0]!);
  return {
    ...{
      home,
      random,
      ledger,
      servers,
      load: await createLoad(ledger, random),
      faults: noFaults(),
    },
    seen: { jumps: 0, restarts: 0, ended: 0 },
    notRecovered: [],
    sessions: [],
  };
}

async function jumpAndLook({ milliseconds, tell }: Surroundings, scene: Scene): Promise<void> {
  const { home, random, ledger, servers, faults, seen } = scene;
  const end = Date.now() + milliseconds;
  for (let cycle = 1; ; cycle++) {
    const begun = Date.now();
    await jump(scene);
    await purgeEnded(scene);
    for (const server of servers.live())
      await tryAll(server, ledger, scene.notRecovered, patienceMs[home.name]);
    const isLast = Date.now() + (Date.now() - begun) * 2 > end;
    await checkAgainstLedger({
      ...{ ledger, faults, settings: home, place: servers.live()[0]! },
      isChosen: () => isLast || random.chance(0.2),
      check: 'none',
    });
    if (isLast) return;
    if (cycle % 10 === 0)
      tell(`${seen.jumps} jumps, ${seen.restarts} restarts, ${ledger.photos.length} photos`);
  }
}

/** Makes some jumps while users work, each from the last time. The clock is correct afterwards. */
async function jump({ random, ledger, load, servers, seen, sessions }: Scene): Promise<void> {
  const workers = servers.live().map((server) => load.begin(server, true));
  const begun: { live: Person; over: Person }[] = [];
  for (let left = 1 + random.below(maxJumps); left > 0; left--) {
    await someWork(ledger, random);
    servers.setClock(random.pick(jumps) * random.pick([1, -1]));
    seen.jumps++;
    if (random.chance(0.3)) begun.push(await signInTwice(ledger, servers));
  }
  await someWork(ledger, random);
  if (random.chance(restartShare)) {
    await Promise.all(workers.splice(0).map((working) => working.end()));
    if (random.chance(0.5)) servers.setClock(random.pick(jumps) * random.pick([1, -1]));
    await servers.restart(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
    seen.restarts++;
  }
  servers.setClock(0);
  await Promise.all(workers.map((working) => working.end()));
  const here = ({ name, token, id }: Person) => createPerson(servers.live()[0]!, name, token, id);
  for (const { live, over } of begun.map(({ live, over }) => ({ live: here(live), over: here(over) }))) {
    if ((await live.get('/api/auth/user')).status !== 200)
      sessions.push('a session of a wrong clock has ended');
    if ((await over.get('/api/auth/user')).status !== 401) sessions.push('a session goes on that was ended');
  }
}

/** Signs in twice at the current clock: one session continues, the other signs out. */
async function signInTwice(ledger: Ledger, servers: ClockServers): Promise<{ live: Person; over: Person }> {
  const place = servers.live().at(-1)!;
  const live = await logIn(place, ledger.users[0]!);
  const over = await logIn(place, ledger.users[0]!);
  await over.post('/api/auth/logout');
  return { live, over };
}

/** Removes resumable uploads that may have expired: a clock that was a day ahead ends them early. */
async function purgeEnded({ ledger, servers, seen }: Scene): Promise<void> {
  for (const upload of [...ledger.unsureUploads]) {
    const { name, token, id } = ledger.users[upload.owner]!;
    const owner = createPerson(servers.live()[0]!, name, token, id);
    if (!upload.resumable || (await readUploadHead(owner, upload.resumable.path)).status !== 404) continue;
    ledger.unsureUploads = ledger.unsureUploads.filter((one) => one !== upload);
    seen.ended++;
  }
}

/**
 * Checks that leases and maintenance continue: unreferenced objects must be deleted once they are old enough.
 */
async function neverSwept({ home, servers }: Scene): Promise<string[]> {
  servers.setClock(afterAll);
  let left: string[] = [];
  await eventually(async () => {
    left = [...(await leftovers(home)), ...(await overdue(home, day))];
    assert.deepEqual(left, []);
  }, sweptMs).catch(() => {});
  servers.setClock(0);
  return left;
}

function createFigures(scene: Scene, least: number, swept: string[], seed: number): Figure[] {
  const { ledger, faults, seen, servers, notRecovered, sessions } = scene;
  return [
    atLeast('jumps', seen.jumps, least),
    createInfoFigure('restarts meanwhile', seen.restarts),
    createInfoFigure('answers of 503', ledger.refusals.get(503) ?? 0),
    createInfoFigure('resumable uploads whose day was over', seen.ended),
    ...createLoadFigures(ledger, faults, servers.output()),
    none('sessions that are not as they should be', sessions),
    none('what did not work once the clock was right', notRecovered),
    none('files that nothing names, which no sweep removed', swept),
    createInfoFigure('seed', seed),
  ];
}
