/**
 * Measures lists of a million photos on both databases: queries, months, facets, and the page around a photo.
 * Each figure is the CPU of one request, of the server and PostgreSQL, beside its limit.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { report, runAlone } from './limits.ts';
import type { Server } from './measure.ts';
import { openPace, type Pace } from './pace.ts';
import { cost, costInPace, openOnPostgres, openOnSqlite, type Read, type ReadGallery } from './read-cost.ts';
import { seed, viewerToken } from './seed.ts';
import { advisedSettings, seedPostgres } from './seed-postgres.ts';
import { openSqlPace } from './sql-pace.ts';

const photos = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
const signedIn = { authorization: `Bearer ${viewerToken}` };

interface Line extends Read {
  name: string;
  /** Limit of the query's CPU in milliseconds. */
  limit?: number;
  /** Limit of the query's CPU as a multiple of the plain list's. */
  timesPlain?: number;
  /**
   * True if the query reads hundreds of thousands of rows; its limit then follows the speed of such reads
   * (sql-pace.ts).
   */
  isWalk?: boolean;
}

const thousandth = ['camera:leica iso:>=800', 'taken:2023-05-10..2023-05-11 iso:>=800', 'zqxv iso:>=800'];
const tenth = [
  'camera:nikon iso:>=800',
  'taken:2023 iso:..3200',
  'iso:..600 aperture:>2',
  'sunset iso:>=800',
];

const plain: Line = { name: 'plain list', path: '/api/photos' };

function createLines(around: Line[]): Line[] {
  const queries = (asked: string[], limit: number, isWalk: boolean) =>
    asked.flatMap((q): Line[] => {
      const path = `/api/photos?q=${encodeURIComponent(q)}`;
      return [
        { name: q, path, limit, isWalk },
        { name: `${q}, signed in`, path, limit, isWalk, headers: signedIn },
      ];
    });
  return [
    { name: 'months of everything', path: '/api/timeline', limit: 25, timesPlain: 3 },
    { name: 'facets of everything', path: '/api/facets', limit: 300 },
    ...around,
    ...queries(thousandth, 50, false),
    ...queries(tenth, 200, true),
    ...thousandth.map((q) => ({
      name: `facets of ${q}`,
      path: `/api/facets?q=${encodeURIComponent(q)}`,
      limit: 50,
    })),
  ];
}

export async function benchQueries(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-queries-'));
  try {
    const seeded = await seed(photos);
    await benchSqlite(seeded);
    await benchPostgres(seeded, join(folder, 'storage'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function benchSqlite(dataDir: string): Promise<void> {
  const gallery = await openOnSqlite(dataDir);
  await measure(gallery);
  await gallery.stop();
}

async function benchPostgres(seeded: string, dataDir: string): Promise<void> {
  const postgres = await startPostgres({ settings: advisedSettings });
  try {
    await benchOnPostgres(await seedPostgres(postgres.url, seeded, dataDir), dataDir);
  } finally {
    await postgres.stop();
  }
}

async function benchOnPostgres(url: string, dataDir: string): Promise<void> {
  const gallery = await openOnPostgres(url, dataDir);
  await measure(gallery);
  await gallery.stop();
}

async function measure(gallery: ReadGallery): Promise<void> {
  const served = await openPace();
  const walked = await openSqlPace(gallery.database);
  try {
    await measureAt({ served, walked }, gallery);
  } finally {
    await served.stop();
    await walked.stop();
  }
}

async function measureAt(
  { served, walked }: Record<'served' | 'walked', Pace>,
  gallery: ReadGallery,
): Promise<void> {
  console.log(`\n${gallery.name}, ${photos.toLocaleString('en')} photos: CPU of one request`);
  const plainMs = await cost(gallery, plain);
  report(plain.name, plainMs, 'ms');
  for (const line of createLines(await aroundLines(gallery))) {
    const pace = line.isWalk ? walked : served;
    const { ms, slowness } = await costInPace(gallery, line, pace.slowness).catch((error: Error) => {
      console.log(`${line.name}: ${error.message}`);
      return { ms: Number.POSITIVE_INFINITY, slowness: 1 };
    });
    report(`${gallery.name}, ${line.name}`, ms, 'ms', line.limit, slowness);
    if (line.timesPlain)
      report(`${gallery.name}, ${line.name}`, ms / plainMs, 'plain lists', line.timesPlain);
  }
}

/** Measures the page around photos from all parts of each sort order. */
async function aroundLines({ server }: ReadGallery): Promise<Line[]> {
  const first = await read(server, '/api/photos?limit=1');
  const { total } = first.pagination;
  const lines: Line[] = [];
  for (const sort of ['create_time', 'taken_time', 'views', 'title']) {
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const page = Math.max(1, Math.floor(total * share));
      const { list } = await read(server, `/api/photos?sort=${sort}&limit=1&page=${page}`);
      lines.push({
        name: `around by ${sort}, at ${share * 100}%`,
        path: `/api/photos?sort=${sort}&around=${list[0]!.id}`,
        limit: sort === 'views' || sort === 'title' ? 100 : 25,
      });
    }
  }
  return lines;
}

interface Page {
  list: { id: number }[];
  pagination: { total: number };
}

async function read({ url }: Server, path: string): Promise<Page> {
  const answer = await fetch(url + path);
  if (!answer.ok) throw new Error(`${answer.status} for ${path}`);
  return ((await answer.json()) as { data: Page }).data;
}

if (import.meta.main) await runAlone(benchQueries);
