/**
 * Measures the cost of reads alone and under a mixed load (mixed-load.ts), on SQLite and PostgreSQL. Figures
 * are ratios to a bare Fastify that sends the same bytes, and include the database's CPU. `node
 * bench/mixed.ts [sqlite]`
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CreateRequest, openLoad } from './burst.ts';
import { report, runAlone } from './limits.ts';
import { median, startServer } from './measure.ts';
import {
  anyThumb,
  detailPath,
  type Gallery,
  openPostgresGallery,
  openSqliteGallery,
  photos,
  plain,
} from './mixed-gallery.ts';
import { createMixedLoad, tokens } from './mixed-load.ts';
import { computeSlowness } from './pace.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const perRound = 2000;
const connections = 10;
const [reader] = tokens as [string];

const mixedLoad = 'mixed load';
const bareList = 'bare Fastify';
const bareUnderMany = 'bare Fastify, a hundred connections';

const load = createMixedLoad(photos, detailPath);

const reads: Record<string, CreateRequest> = {
  'first page': () => ({ path: '/api/photos' }),
  'pages 1 to 90': (n) => ({ path: load.pageOf(n) }),
  'first page, signed in': () => ({ path: '/api/photos', token: reader }),
  'pages 1 to 90, signed in': (n) => ({ path: load.pageOf(n), token: reader }),
  'detail, signed in': (n) => ({ path: detailPath(n), token: reader }),
  thumbnail: (n) => ({ path: anyThumb(n) }),
};

interface Sample {
  /** CPU microseconds of one request. */
  cpu: number;
  /** 99th percentile of the response time, in milliseconds. */
  p99: number;
}

type Samples = Map<string, Sample[]>;

/**
 * Limits in multiples of bare Fastify's CPU, which was 15 µs on the machine where the limits were set.
 * PostgreSQL's limits include the database process.
 */
const findLargest: Record<string, Record<string, number>> = {
  SQLite: {
    'first page': 7,
    'pages 1 to 90': 7,
    'first page, signed in': 7,
    'pages 1 to 90, signed in': 7,
    [mixedLoad]: 12,
  },
  PostgreSQL: {
    'first page': 400 / 15,
    'pages 1 to 90': 400 / 15,
    'first page, signed in': 400 / 15,
    'pages 1 to 90, signed in': 400 / 15,
    'detail, signed in': 400 / 15,
    thumbnail: 200 / 15,
  },
};
/** Limit of the mixed load's 99th percentile on SQLite, in milliseconds. */
const maxP99 = 40;

export async function benchMixed(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const subjects = [await openSqliteGallery()];
  if (process.argv[2] !== 'sqlite') subjects.push(await openPostgresGallery());
  try {
    const bare = await openBare(subjects[0]!.server.url, folder);
    await measureAll(bare, subjects);
    await bare.stop();
  } finally {
    for (const subject of subjects) await subject.stop();
    await rm(folder, { recursive: true });
  }
}

/** Starts a Fastify that sends the bytes of a list page. */
async function openBare(url: string, folder: string): Promise<Gallery> {
  const file = join(folder, 'list.json');
  await writeFile(file, await (await fetch(`${url}/api/photos`)).text());
  const server = await startServer('bare', file, 'application/json; charset=utf-8');
  return plain('bare', server);
}

/**
 * Measures all subjects in each round, so that a slow moment of the machine affects all. The first round only
 * warms up.
 */
async function measureAll(bare: Gallery, subjects: Gallery[]): Promise<void> {
  const runs: RoundResult[] = [
    { name: bareList, of: bare, createRequest: reads['first page']!, connections },
    { name: bareUnderMany, of: bare, createRequest: load.createRequest, connections: tokens.length },
  ];
  for (const of of subjects) {
    for (const [name, createRequest] of Object.entries(reads)) {
      runs.push({ name: `${of.name}: ${name}`, of, createRequest, connections });
    }
    runs.push({
      name: `${of.name}: ${mixedLoad}`,
      of,
      createRequest: load.createRequest,
      connections: tokens.length,
    });
  }
  const samples: Samples = new Map();
  for (let round = -1; round < rounds; round++) {
    for (const run of runs) {
      const sample = await measure(run);
      if (round >= 0) samples.set(run.name, [...(samples.get(run.name) ?? []), sample]);
    }
  }
  reportAll(samples);
}

interface RoundResult {
  name: string;
  of: Gallery;
  createRequest: CreateRequest;
  connections: number;
}

async function measure({ name, of, createRequest, connections }: RoundResult): Promise<Sample> {
  const { server, cpuMicros } = of;
  // New connections in each round, because the server closes connections that are idle for long.
  const readers = await openLoad(server.url, connections, createRequest);
  await readers.burst(connections);
  const likes = name.endsWith(mixedLoad) ? load.startLikes(server.url) : undefined;
  const before = await cpuMicros();
  const times = await readers.burst(perRound);
  const cpu = ((await cpuMicros()) - before) / perRound;
  await likes?.stop();
  readers.close();
  times.sort((one, other) => one - other);
  return { cpu, p99: times[Math.floor(times.length * 0.99)]! };
}

function reportAll(samples: Samples): void {
  for (const [name, measured] of samples) {
    const bare = samples.get(name.endsWith(mixedLoad) ? bareUnderMany : bareList)!;
    const value = (part: keyof Sample) => median(measured.map((sample) => sample[part]));
    const ratio = (part: keyof Sample) =>
      median(measured.map((sample, round) => sample[part] / bare[round]![part]));
    const [database = '', read = ''] = name.split(': ');
    report(
      `${name}: ${value('cpu').toFixed(0)} µs CPU`,
      ratio('cpu'),
      'times bare',
      findLargest[database]?.[read],
    );
    const isLimited = database === 'SQLite' && read === mixedLoad;
    report(
      `  p99, ${ratio('p99').toFixed(1)} times bare`,
      value('p99'),
      'ms',
      isLimited ? maxP99 : undefined,
      computeSlowness(median(samples.get(bareList)!.map(({ cpu }) => cpu))),
    );
  }
}

if (import.meta.main) await runAlone(benchMixed);
