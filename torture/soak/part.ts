/**
 * `soak`: ordinary load for some time; the server's memory and open files must not grow with the work done.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { countDescriptors, listTemporaryFiles } from '../../test/support/gallery-counts.ts';
import { createPerson, type Person } from '../../test/support/people.ts';
import { createRandom } from '../../test/support/random.ts';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import { checkAgainstLedger } from '../load/check-ledger.ts';
import { noFaults } from '../load/faults.ts';
import { createLoadFigures } from '../load/figures.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { createLoad, registerUsers } from '../load/load.ts';
import { atMost, createInfoFigure, type Figure, none, type Part } from '../part.ts';

interface Sample {
  megabytes: number;
  descriptors: number;
}

const sampleMs = 250;
/** Fraction of the time for the final check. */
const lookShare = 0.2;
/** Below this duration the server is still warming up at the end. */
const longMs = 5 * 60_000;
/** Limit of memory in the last quarter, relative to the third quarter. */
const maxGrowth = { short: 1.25, long: 1.05 };
/** Limit of additional open descriptors: connections to a database or store come and go. */
const maxMoreDescriptors = 10;

export const soak: Part = {
  name: 'soak',
  about: 'a mixed load for as long as there is time; memory and descriptors stay flat, counters count',
  share: 10,
  async run({ home, milliseconds, seed, tell }) {
    const server = await startServer({ dataDir: home.dataDir, environment: home.environment });
    const ledger = createLedger();
    const faults = noFaults();
    try {
      await registerUsers(ledger, server);
      const load = await createLoad(ledger, createRandom(seed));
      const workers = load.begin(server);
      const reading = new AbortController();
      const readers = read(server, ledger, reading.signal);
      const samples = await watch(server, milliseconds * (1 - lookShare));
      reading.abort();
      const [lost, reads] = await Promise.all([workers.end(), readers]);
      tell(`${reads} pages read; ${formatNumber(samples)}`);
      await checkAgainstLedger({
        ledger,
        faults,
        place: server,
        settings: home,
        isChosen: () => true,
        check: 'full',
      });
      return [
        createInfoFigure('pages, details and pictures read', reads),
        ...flatness(samples, milliseconds >= longMs),
        none('connections that broke', lost),
        ...createLoadFigures(ledger, faults, server.output()),
        none('temporary files left', await listTemporaryFiles(home.dataDir)),
      ];
    } finally {
      await server.end('SIGKILL');
    }
  },
};

/** Requests lists, details and thumbnails as each user. Returns the number of requests. */
async function read(server: ServerProcess, ledger: Ledger, signal: AbortSignal): Promise<number> {
  let count = 0;
  const readers = ledger.users.map(async ({ name, token, id }) => {
    const reader = createPerson(server, name, token, id);
    while (!signal.aborted) count += await readPage(reader, ledger);
  });
  await Promise.all(readers);
  return count;
}

async function readPage(reader: Person, { wrong }: Ledger): Promise<number> {
  const answers = [await reader.get('/api/photos?limit=100'), await reader.get('/api/albums')];
  for (const photo of (answers[0]!.body.data?.list ?? []).slice(0, 5)) {
    answers.push(await reader.get(`/api/photos/${photo.id}`), await reader.get(photo.thumb));
    await pause(10);
  }
  for (const { status, bytes } of answers) if (status >= 500) wrong.push(`${status}: ${bytes}`);
  return answers.length;
}

async function watch(server: ServerProcess, milliseconds: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const end = Date.now() + milliseconds; Date.now() < end; await pause(sampleMs)) {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    samples.push({
      megabytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
      descriptors: (await countDescriptors(server.pid)) ?? 0,
    });
  }
  return samples;
}

function flatness(samples: Sample[], isLong: boolean): Figure[] {
  const quarter = (n: number) =>
    samples.slice((samples.length * (n - 1)) / 4, Math.max(1, (samples.length * n) / 4));
  const memory = (n: number) => median(quarter(n).map(({ megabytes }) => megabytes));
  const open = (n: number) => Math.max(...quarter(n).map(({ descriptors }) => descriptors));
  const limit = isLong ? maxGrowth.long : maxGrowth.short;
  return [
    createInfoFigure(
      'memory, quarter by quarter',
      [1, 2, 3, 4].map((n) => `${Math.round(memory(n))} MB`).join(', '),
    ),
    atMost('memory of the last quarter, times that of the third', memory(4) / memory(3), limit),
    atMost('descriptors of the last quarter more than in the third', open(4) - open(3), maxMoreDescriptors),
  ];
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function formatNumber(samples: Sample[]): string {
  const last = samples.at(-1);
  return `${Math.round(last?.megabytes ?? 0)} MB and ${last?.descriptors} descriptors at the end`;
}
