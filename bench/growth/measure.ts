/**
 * Measures the cost of the same reads in galleries of a thousand, a hundred thousand and a million photos, on
 * both databases.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../test/support/postgres.ts';
import { type CreateRequest, openLoad } from '../burst.ts';
import { median } from '../measure.ts';
import { createMixedLoad, tokens } from '../mixed-load.ts';
import { openOnPostgres, openOnSqlite, type ReadGallery } from '../read-cost.ts';
import { seed, viewerToken } from '../seed.ts';
import { advisedSettings, seedPostgres } from '../seed-postgres.ts';
import { openBareStatement } from './bare-statement.ts';

export interface Growth {
  /** Name of the gallery's database, such as `SQLite`. */
  database: string;
  /** Name of the read, as the chart labels its line. */
  read: string;
  /** Maps numbers of photos to CPU milliseconds of one request; null for a refused request. */
  costs: Map<number, number | null>;
}

const biggest = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
export const sizes = [1000, 100_000, 1_000_000].filter((photos) => photos <= biggest);
/** PostgreSQL's CPU time has a resolution of 10 ms, so rounds must last this many milliseconds. */
const roundMs = 400;
const minOfRound = 10;
/**
 * Minimum requests of each reader in the mixed load, so that all pooled connections have prepared all
 * statements.
 */
const minOfReader = 10;
const fewConnections = 10;
const maxOfRound = 3000;
const rounds = 3;
export const bareStatement = 'a list, SQL alone';
const mixedLoad = 'mixed load';

interface Read {
  path: string;
  token?: string;
}

/** Measures all galleries. Calls `told` after each gallery. */
export async function measureGrowth(told: (line: string) => void): Promise<Growth[]> {
  const growths = new Map<string, Growth>();
  const folder = await mkdtemp(join(tmpdir(), 'bench-growth-'));
  try {
    for (const photos of sizes) {
      const seeded = await seed(photos);
      await measureOne(await openOnSqlite(seeded), photos, growths, told);
      const postgres = await startPostgres({ settings: advisedSettings });
      try {
        const dataDir = join(folder, String(photos));
        const url = await seedPostgres(postgres.url, seeded, dataDir);
        await measureOne(await openOnPostgres(url, dataDir), photos, growths, told);
      } finally {
        await postgres.stop();
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return [...growths.values()];
}

async function measureOne(
  gallery: ReadGallery,
  photos: number,
  growths: Map<string, Growth>,
  told: (line: string) => void,
): Promise<void> {
  try {
    for (const [read, costOf] of Object.entries(await listReads(gallery))) {
      const ms = await costOf().catch((error: Error) => {
        told(`${gallery.name}, ${photos} photos, ${read}: ${error.message}`);
        return null;
      });
      const key = `${gallery.name} ${read}`;
      const growth = growths.get(key) ?? { database: gallery.name, read, costs: new Map() };
      growth.costs.set(photos, ms);
      growths.set(key, growth);
      if (ms !== null) told(`${gallery.name}, ${photos} photos, ${read}: ${ms.toFixed(3)} ms`);
    }
  } finally {
    await gallery.stop();
  }
}

async function listReads(gallery: ReadGallery): Promise<Record<string, () => Promise<number>>> {
  const { total, ids } = await readPositions(gallery);
  const deep = Math.max(1, Math.floor((total * 0.6) / 20));
  const q = (query: string) => `/api/photos?q=${encodeURIComponent(query)}`;
  const reads: Record<string, Read> = {
    list: { path: '/api/photos' },
    'list, signed in': { path: '/api/photos', token: viewerToken },
    'a page far down': { path: `/api/photos?page=${deep}` },
    detail: { path: `/api/photos/${ids[0]}` },
    months: { path: '/api/timeline' },
    'a rare word': { path: '/api/photos?keyword=zqxv' },
    'a word in a tenth': { path: '/api/photos?keyword=sunset' },
    'camera and ISO': { path: q('camera:leica iso:>=800') },
    'facets of all': { path: '/api/facets' },
  };
  const costs = Object.entries(reads).map(
    ([name, read]) => [name, () => measureCostOfMany(gallery, read)] as const,
  );
  return {
    ...Object.fromEntries(costs),
    [mixedLoad]: () => measureCostOfMixed(gallery, total, ids),
    [bareStatement]: () => measureBareCost(gallery),
  };
}

/** Measures a read under a few parallel connections, like a server in use. */
function measureCostOfMany(gallery: ReadGallery, { path, token }: Read): Promise<number> {
  return measureCost(gallery, () => ({ path, ...(token && { token }) }));
}

async function measureCostOfMixed(gallery: ReadGallery, photos: number, ids: number[]): Promise<number> {
  const load = createMixedLoad(photos, (n) => `/api/photos/${ids[(n * 7) % ids.length]}`);
  const likes = load.startLikes(gallery.server.url);
  try {
    return await measureCost(gallery, load.createRequest, {
      connections: tokens.length,
      least: tokens.length * minOfReader,
    });
  } finally {
    await likes.stop();
  }
}

async function measureCost(
  gallery: ReadGallery,
  createRequest: CreateRequest,
  { connections, least } = { connections: fewConnections, least: minOfRound },
): Promise<number> {
  const load = await openLoad(gallery.server.url, connections, createRequest);
  try {
    return await measureRounds(
      () => gallery.cpuMs(),
      (requests) => load.burst(requests),
      least,
    );
  } finally {
    load.close();
  }
}

/** Measures a plain statement from this process, including the CPU of this process. */
async function measureBareCost(gallery: ReadGallery): Promise<number> {
  const bare = await openBareStatement(gallery);
  const cpuMs = async () => {
    const ofDatabase = await gallery.cpuMs();
    const { user, system } = process.cpuUsage();
    return ofDatabase + (user + system) / 1000;
  };
  try {
    return await measureRounds(cpuMs, async (times) => {
      for (let n = 0; n < times; n++) await bare.run();
    });
  } finally {
    await bare.close();
  }
}

/** Returns milliseconds of one request: the median of rounds that are long enough for the CPU clocks. */
async function measureRounds(
  cpuMs: () => Promise<number>,
  run: (times: number) => Promise<unknown>,
  least = minOfRound,
): Promise<number> {
  const round = async (times: number) => {
    const before = await cpuMs();
    await run(times);
    return ((await cpuMs()) - before) / times;
  };
  // Repeat until a round is long enough. The first round does not decide: it opens connections, prepares
  // statements and fills caches.
  for (let times = least; ; times *= 3) {
    const costs: number[] = [];
    for (let n = 0; n < rounds; n++) costs.push(await round(times));
    if (median(costs) * times >= roundMs || times >= maxOfRound) return median(costs);
  }
}

/** Returns the number of public photos, and the ids of a hundred of them. */
async function readPositions({ server }: ReadGallery): Promise<{ total: number; ids: number[] }> {
  const answer = await fetch(`${server.url}/api/photos?limit=100`);
  const { data } = (await answer.json()) as {
    data: { list: { id: number }[]; pagination: { total: number } };
  };
  return { total: data.pagination.total, ids: data.list.map(({ id }) => id) };
}
