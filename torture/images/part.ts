/** `images`: damaged pictures of every format through upload, sizes, downloads and edits, in 1 GB of memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutCorpus } from '../../test/platform/imaging/corpus.ts';
import { eventually } from '../../test/support/holdings.ts';
import { createMemoryGroup, type MemoryGroup, skipped } from '../../test/support/memory-group.ts';
import { register } from '../../test/support/people.ts';
import { createRandom } from '../../test/support/random.ts';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import { leftovers } from '../leftovers.ts';
import { errorsIn } from '../log.ts';
import { atLeast, atMost, type Figure, none, type Part, type Surroundings, told } from '../part.ts';
import { restoreSome } from './archives.ts';
import { type Commands, commandsIn } from './commands.ts';
import { importFolder } from './folder.ts';
import { keepFiles } from './kept.ts';
import { readSeeds, type Seed } from './seeds.ts';
import { createTally, type Tally, use } from './use.ts';

const gigabyte = 1024 ** 3;
const atOnce = 3;
/** Most files of the corpus are refused as they are: those made here come as often as all of them. */
const timesMade = 20;
/** Of the time: the rest is for the look at the end. */
const uploadShare = 0.7;
const importShare = 0.1;
const restoreShare = 0.1;
/** A machine that does nothing else takes many more. */
const leastASecond = 1;
/** VmHWM only grows: of a server that dies, what it takes in its last moment is missed. */
const lookMs = 20;
/** While three are worked on, on a machine that may do other things. */
const maxSeconds = 60;

export const images: Part = {
  name: 'images',
  about: 'damaged pictures of every format through upload, sizes, downloads and edits in 1 GB of memory',
  share: 11,
  async run(surroundings) {
    const { home, tell } = surroundings;
    const { made, found } = await readSeeds();
    tell(
      withoutCorpus
        ? `only pictures made here, no HEIC: ${withoutCorpus}`
        : `${made.length} pictures made here, ${found.length} of the corpus`,
    );
    const group = createMemoryGroup(gigabyte);
    const groupOfCommands = createMemoryGroup(gigabyte);
    const commands = commandsIn(groupOfCommands);
    if (!group) tell(`the limit is only looked at: ${skipped}`);
    const { dataDir, environment } = home;
    const server = await startServer({
      dataDir,
      environment: { ...environment, LOG_LEVEL: 'error' },
      ...(group && { under: group.under }),
    });
    const memory = watchMemory(server);
    try {
      const seeds = [...times(made, timesMade), ...found];
      const figures = await torment({ server, memory, commands }, surroundings, seeds);
      return [
        ...figures,
        none('processes killed for want of memory', killsIn(group) + killsIn(groupOfCommands)),
      ];
    } finally {
      memory.end();
      await server.end('SIGKILL');
      await eventuallyGone(() => group?.remove());
      await eventuallyGone(() => groupOfCommands?.remove());
    }
  },
};

interface Memory {
  /** Bytes, also of a server that is gone. */
  peak(): number;
  end(): void;
}

function watchMemory(server: ServerProcess): Memory {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, server.peakMemory() ?? 0);
    return peak;
  };
  const timer = setInterval(look, lookMs);
  return { peak: look, end: () => clearInterval(timer) };
}

const killsIn = (group: MemoryGroup | undefined) => group?.kills() ?? 0;

const times = <Item>(items: Item[], count: number) => Array.from({ length: count }, () => items).flat();

interface Scene {
  server: ServerProcess;
  memory: Memory;
  commands: Commands;
}

async function torment(
  { server, memory, commands }: Scene,
  { home, milliseconds, seed, files = 0, tell }: Surroundings,
  seeds: Seed[],
): Promise<Figure[]> {
  const begin = Date.now();
  const owner = await register(server, 'mallory');
  const random = createRandom(seed);
  const tally = createTally();
  const worker = async () => {
    do await use(server, owner, tally, random, seeds);
    while (
      (tally.sent < files || Date.now() - begin < milliseconds * uploadShare) &&
      tally.crashes.length === 0
    );
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const kept = tally.crashes.length > 0 ? await keepFiles(tally.atCrash, seed) : undefined;
  const seconds = (Date.now() - begin) / 1000;
  tell(
    [...tally.statuses]
      .sort()
      .map(([status, times]) => `${status}: ${times}`)
      .join(', '),
  );
  const importsEnd = Date.now() + milliseconds * importShare;
  const imports = await importSome(home, { seeds, seed, commands, end: importsEnd });
  const restoresEnd = Date.now() + milliseconds * restoreShare;
  const archives = await restoreSome({ seeds, random, commands, end: restoresEnd });
  return [
    atLeast('files sent', tally.sent, files || Math.floor(seconds * leastASecond)),
    atLeast('accepted', tally.accepted, 1),
    atLeast('refused', tally.refused, 1),
    ...figuresOf(tally),
    ...(kept ? [told('files that were worked on then', kept)] : []),
    atMost('slowest answer', tally.slowest / 1000, maxSeconds, 's'),
    told('which was', tally.slowestWhat),
    atMost('peak memory of the server', memory.peak() / gigabyte, 1, 'GB'),
    atMost('peak memory of a command', commands.peak() / gigabyte, 1, 'GB'),
    told(
      'folders imported, files in them, photos of them',
      `${imports.folders}, ${imports.files}, ${imports.photos}`,
    ),
    none('imports that did what they must not', imports.wrong),
    told('archives restored, of them refused', `${archives.archives}, ${archives.refused}`),
    none('restores that did what they must not', archives.wrong),
    ...(await leftovers(home)),
    none('errors in the log', errorsIn(server.output())),
  ];
}

function figuresOf({ faults, crashes, differing }: Tally): Figure[] {
  return [
    none('answers of 5xx, or that openapi.json does not promise', faults),
    none('connections that ended without an answer', crashes),
    none('originals that are not the bytes that were sent', differing),
  ];
}

async function importSome(
  home: Surroundings['home'],
  { seeds, seed, commands, end }: { seeds: Seed[]; seed: number; commands: Commands; end: number },
) {
  const random = createRandom(seed + 1);
  const sum = { folders: 0, files: 0, photos: 0, wrong: [] as string[] };
  do {
    const root = await mkdtemp(join(tmpdir(), 'lightwell-import-'));
    const { files, photos, wrong } = await importFolder(home, {
      root,
      user: 'mallory',
      seeds,
      random,
      commands,
    }).finally(() => rm(root, { recursive: true, force: true }));
    sum.folders++;
    sum.files += files;
    sum.photos += photos;
    sum.wrong.push(...wrong);
  } while (Date.now() < end);
  return sum;
}

/** A group is removed when the last of its processes has ended. */
async function eventuallyGone(remove: () => void): Promise<void> {
  await eventually(async () => remove()).catch(() => {});
}
