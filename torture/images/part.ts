/**
 * `images`: hostile pictures of every format meet a server with 1 GB of memory, while an honest user works.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutCorpus } from '../../test/platform/imaging/corpus.ts';
import { createMemoryGroup, type MemoryGroup, skipReason } from '../../test/support/memory-group.ts';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import { leftovers } from '../leftovers.ts';
import { errorsIn } from '../log.ts';
import {
  atLeast,
  atMost,
  createInfoFigure,
  type Figure,
  none,
  type Part,
  type Surroundings,
} from '../part.ts';
import { attack } from './attack.ts';
import { honestFigures, startBystander } from './bystander-figures.ts';
import { commandFigures } from './command-figures.ts';
import { commandsIn } from './commands.ts';
import { findEndings, formatCounts } from './endings.ts';
import { type Hostile, readHostile } from './hostile.ts';
import { watchMachine } from './machine.ts';
import { mutants } from './mutants.ts';
import { saveFiles } from './save-files.ts';
import { type FormatSeeds, readSeeds } from './seeds.ts';
import { stopAmidHostile } from './stop.ts';
import { answersByKind, createTally, type Tally } from './tally.ts';

const gigabyte = 1024 ** 3;
/** Fraction of the time for attacks; the rest is for commands, the stop and the final check. */
const attackShare = 0.8;
/**
 * Milliseconds between reads of VmHWM, which only grows; only the last moment of a dying server is missed.
 */
const lookMs = 20;
/** Limit of a response: a job may wait for a minute, and run for twice its seconds on a busy machine. */
const maxSeconds = 180;
const maxRemovals = 250;
const progressEveryMs = 60_000;
/** Names of pictures that occupy a worker for seconds. */
const heavyNames = [
  'jpeg of 102 megapixels, turned',
  'tiff of noise, 9 megapixels',
  'webp of 100 megapixels',
];

export const images: Part = {
  name: 'images',
  about: 'hostile pictures of every format in 1 GB of memory, while somebody honest uploads and looks',
  share: 11,
  async run(surroundings) {
    const { home, tell } = surroundings;
    const [seeds, hostile] = [await readSeeds(), await readHostile()];
    reportPictures(tell, seeds, hostile);
    const group = createMemoryGroup(gigabyte);
    const groupOfCommands = createMemoryGroup(gigabyte);
    if (!group) tell(`the limit is only looked at: ${skipReason}`);
    const server = await startServer({
      dataDir: home.dataDir,
      environment: home.environment,
      ...(group && { under: group.under }),
    });
    const scene = { server, group, commands: commandsIn(groupOfCommands), seeds, hostile };
    try {
      const figures = await torment(scene, surroundings);
      return [...figures, none('commands killed for want of memory', groupOfCommands?.kills() ?? 0)];
    } finally {
      await server.end('SIGKILL');
      await removeSoon(group);
      await removeSoon(groupOfCommands);
    }
  },
};

function reportPictures(tell: Surroundings['tell'], seeds: FormatSeeds[], hostile: Hostile): void {
  if (withoutCorpus) tell(`only pictures made here, no HEIC: ${withoutCorpus}`);
  const each = seeds.map(({ format, made, found }) => `${format} ${made.length}+${found.length}`);
  tell(`whole pictures, made here and of the corpus: ${each.join(', ')}`);
  const { corpus, bombs, relatives } = hostile;
  const found =
    bombs.length === 0 ? 'no bombs, as ../shared/field/bombs is not here' : `${bombs.length} bombs`;
  tell(`hostile ones: ${corpus.length} of the corpus, ${found}, ${relatives.length} made by their recipes`);
}

interface Scene {
  server: ServerProcess;
  group: MemoryGroup | undefined;
  commands: ReturnType<typeof commandsIn>;
  seeds: FormatSeeds[];
  hostile: Hostile;
}

async function torment(scene: Scene, surroundings: Surroundings): Promise<Figure[]> {
  const { server, group, hostile } = scene;
  const { home, seed, tell } = surroundings;
  const tally = createTally();
  const memory = watchMemory(server, group);
  const attacked = await attackAll(scene, surroundings, tally);
  const isAlive = tally.crashes.length === 0;
  const afterwards = isAlive ? await countJobFiles(home.dataDir) : [];
  const commands = await commandFigures(scene, surroundings);
  const lost = existsSync(`/proc/${server.pid}`) ? 0 : 1;
  const stop = isAlive
    ? await stopAmidHostile({ server, group, dataDir: home.dataDir, heavy: selectHeavy(hostile) })
    : [];
  memory.end();
  tell(`answers, with how often: ${answersByKind(tally)}`);
  const kept = [...tally.atCrash, ...tally.faulty];
  return [
    ...attacked,
    none('answers of 5xx, or that openapi.json does not promise', tally.faults),
    none('connections that ended without an answer', tally.crashes),
    ...(kept.length > 0 ? [createInfoFigure('their files', await saveFiles(kept, seed))] : []),
    none('originals that are not the bytes that were sent', tally.differing),
    atMost('slowest answer to an attacker', tally.slowest / 1000, maxSeconds, 's'),
    createInfoFigure('which was', tally.slowestWhat),
    createInfoFigure(
      'picture workers that ended before their job was done',
      formatCounts(findEndings(server.output())),
    ),
    // The control group contains only the server, its workers and the processes that start them.
    createInfoFigure('workers that the system killed for want of memory', (group?.kills() ?? 0) - lost),
    none('servers that ended', lost),
    none('files of jobs left in DATA_DIR/workers', afterwards),
    ...memory.figures(),
    ...commands,
    ...stop,
    ...(await leftovers(home)),
    none('errors in the log', errorsIn(server.output())),
  ];
}

async function attackAll(
  { server, group, seeds, hostile }: Scene,
  { milliseconds, seed, perFormat, tell }: Surroundings,
  tally: Tally,
): Promise<Figure[]> {
  const begin = Date.now();
  const machine = watchMachine(() => group?.processes() ?? [server.pid]);
  const bystander = await startBystander(server);
  const all = [...hostile.bombs, ...hostile.relatives, ...hostile.corpus];
  const timer = setInterval(() => {
    const minutes = ((Date.now() - begin) / 60_000).toFixed(1);
    tell(`${minutes} minutes: ${[...tally.sent].map(([kind, sent]) => `${kind} ${sent}`).join(', ')}`);
  }, progressEveryMs);
  try {
    const { rounds } = await attack({
      server,
      seed,
      tally,
      damaged: mutants(seed, seeds, perFormat ?? Infinity),
      hostile: all,
      heavy: selectHeavy(hostile),
      end: perFormat === undefined ? begin + milliseconds * attackShare : Infinity,
    });
    const seconds = (Date.now() - begin) / 1000;
    return [
      ...seeds.map(({ format }) => sentFigure(format, tally, perFormat)),
      atLeast('rounds of all hostile pictures, as photos and as avatars by turns', rounds, 2),
      createInfoFigure('seconds that it took', Math.round(seconds)),
      atLeast('accepted', tally.accepted, 1),
      atLeast('refused', tally.refused, 1),
      ...honestFigures(await bystander.end(), machine, seconds),
    ];
  } finally {
    clearInterval(timer);
    machine.end();
  }
}

const selectHeavy = ({ relatives }: Hostile) => relatives.filter(({ what }) => heavyNames.includes(what));

function sentFigure(format: string, { sent }: Tally, perFormat: number | undefined): Figure {
  const wanted = format === 'heic' ? (perFormat ?? 0) / 10 : (perFormat ?? 0);
  return atLeast(`damaged pictures sent, ${format}`, sent.get(format) ?? 0, Math.max(1, Math.ceil(wanted)));
}

/** Returns files in the workers' folders, which must be empty after all responses. */
async function countJobFiles(dataDir: string): Promise<string[]> {
  const names = await readdir(`${dataDir}/workers`, { recursive: true });
  return names.filter((name) => name.includes('/'));
}

/** Measures memory; `held` is the total of all processes of the server. */
function watchMemory(server: ServerProcess, group: MemoryGroup | undefined) {
  let [peak, held] = [0, 0];
  const timer = setInterval(() => {
    peak = Math.max(peak, server.peakMemory() ?? 0);
    held = Math.max(held, group?.held() ?? 0);
  }, lookMs);
  return {
    end: () => clearInterval(timer),
    figures: () => [
      atMost('peak memory of the server', peak / gigabyte, 1, 'GB'),
      createInfoFigure('peak memory of all its processes together', `${(held / gigabyte).toFixed(2)} GB`),
      createInfoFigure(
        'with what the system keeps of files',
        `${((group?.peak() ?? 0) / gigabyte).toFixed(2)} GB`,
      ),
    ],
  };
}

/** Removes a control group, which works only some time after its last process has ended. */
async function removeSoon(group: MemoryGroup | undefined): Promise<void> {
  for (let tries = 0; tries < maxRemovals; tries++) {
    try {
      return group?.remove();
    } catch {
      await pause(lookMs);
    }
  }
}
