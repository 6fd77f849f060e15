/**
 * Benchmarks a large album, feed, comments and notifications, each compared with the plain list of the same
 * gallery.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Postgres, startPostgres } from '../test/support/postgres.ts';
import { costsInTurn } from './in-turn.ts';
import { latencies, median, type Server, startServer } from './measure.ts';
import { albumId, fan, makeGallery, notifications, reader, talkedAbout } from './seed-people.ts';

const photos = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
const albumEvery = 10;
/** Raise this number when the seeded gallery changes. */
const schemaVersion = 3;

interface List {
  path: string;
  /** Path of the plain list to compare with, for the same person. */
  plain: string;
  token?: string;
  /** Number of a page near the end, with 20 items per page. */
  deep: number;
}

const everybody = { plain: 'plain list' };
const signedIn = { plain: 'plain list, signed in', token: reader.token };
const plainPages = Math.floor((photos * 0.8) / 20);

const lists: Record<string, List> = {
  'plain list': { ...everybody, path: '/api/photos', deep: Math.ceil(plainPages * 0.4) },
  'plain list, signed in': { ...signedIn, path: '/api/photos', deep: Math.ceil(plainPages * 0.4) },
  'an album': {
    ...everybody,
    path: `/api/albums/${albumId}/photos`,
    deep: Math.floor(photos / albumEvery / 20),
  },
  'the feed of a thousand': {
    ...signedIn,
    token: fan.token,
    path: '/api/feed',
    deep: Math.max(1, plainPages - 100),
  },
  'a feed, none of the newest': { ...signedIn, path: '/api/feed', deep: Math.ceil(plainPages * 0.4) },
  comments: {
    ...everybody,
    path: `/api/photos/${talkedAbout.photoId}/comments`,
    deep: talkedAbout.threads / 20,
  },
  'comments, signed in': {
    ...signedIn,
    path: `/api/photos/${talkedAbout.photoId}/comments`,
    deep: talkedAbout.threads / 20,
  },
  'unread notifications': { ...signedIn, path: '/api/notifications', deep: notifications / 20 },
};

export async function benchPeople(): Promise<void> {
  console.log('on SQLite');
  await benchLists(await startServer('gallery', await seedFile()));
  const postgres = await startPostgres();
  console.log('on PostgreSQL: CPU of the server only');
  try {
    await benchLists(await startServer('gallery', await seedPostgres(postgres), postgres.url));
  } finally {
    await postgres.stop();
  }
}

async function benchLists(server: Server): Promise<void> {
  try {
    await benchCosts(server);
    for (const [name, { path, token, deep }] of Object.entries(lists)) {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      for (const page of [1, deep]) {
        const { median, worst } = await latencies(server, `${path}?page=${page}`, headers);
        console.log(`${name}, page ${page}: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`);
      }
    }
  } finally {
    await server.stop();
  }
}

/** Reports the median ratios to the plain list, from alternating bursts. */
async function benchCosts(server: Server): Promise<void> {
  const subjects = Object.entries(lists).map(([name, { path, token }]) => {
    const createRequest = () => ({ path, ...(token !== undefined && { token }) });
    return [name, { server, createRequest }];
  });
  const costs: Record<string, number[]> = await costsInTurn(Object.fromEntries(subjects), {
    rounds: 15,
    perBurst: 100,
  });
  for (const [name, { plain }] of Object.entries(lists)) {
    const ratio = median(costs[name]!.map((cost, round) => cost / costs[plain]![round]!));
    console.log(`${name}: ${median(costs[name]!).toFixed(1)} µs, ${ratio.toFixed(2)} times the plain list`);
  }
}

/** Creates the gallery in `bench/data`, or reuses an existing one. */
async function seedFile(): Promise<string> {
  const dataDir = join(import.meta.dirname, 'data', `people-${photos}-v${schemaVersion}`);
  const mark = join(dataDir, 'seeded.db');
  if (existsSync(mark)) return dataDir;
  rmSync(dataDir, { recursive: true, force: true });
  await makeGallery(dataDir, undefined, { photos, albumEvery });
  new DatabaseSync(mark).close();
  return dataDir;
}

async function seedPostgres({ url }: Postgres): Promise<string> {
  const dataDir = join(import.meta.dirname, 'data', 'people-postgres');
  rmSync(dataDir, { recursive: true, force: true });
  await makeGallery(dataDir, url, { photos, albumEvery });
  return dataDir;
}

if (import.meta.main) await benchPeople();
