/**
 * Compares lists and details on PostgreSQL between a gallery of a million photos and one of a few thousand.
 * Also measures the CPU of the server and the database, with and without prepared statements.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.ts';
import { cpuPerRequest, median, type Server, startServer } from './measure.ts';
import { comparePrepared } from './postgres-cpu.ts';
import { cpuReads, makeSearchable, storeThumbs } from './postgres-reads.ts';
import { makeGallery, reader } from './seed-people.ts';

const large = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
const small = 1000;
const rounds = 7;
const perRound = 300;
const albumEvery = 10;
const asReader = { authorization: `Bearer ${reader.token}` };

interface Read {
  headers: Record<string, string>;
  /** Returns the n-th path to request in a gallery of `photos` photos. */
  path(n: number, photos: number): string;
}

const reads: Record<string, Read> = {
  list: { headers: {}, path: () => '/api/photos' },
  'list, signed in': { headers: asReader, path: () => '/api/photos' },
  // Requests photos all over the table, but only those of the album, which have an image.
  detail: {
    headers: {},
    path: (n, photos) => `/api/photos/${albumEvery * (1 + ((n * 7919) % (photos / albumEvery - 1)))}`,
  },
};

export async function benchPostgres(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const postgres = await startPostgres();
  try {
    const few = await gallery(postgres.url, join(folder, 'small'), small);
    const many = await gallery(postgres.url, join(folder, 'large'), large);
    for (const [name, read] of Object.entries(reads)) await compare(name, read, few, many);
    await reportSizes(databaseUrl(postgres.url, large));
    await Promise.all([few.stop(), many.stop()]);
    await comparePrepared(
      join(folder, 'large'),
      databaseUrl(postgres.url, large),
      cpuReads(large, albumEvery),
    );
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

function databaseUrl(url: string, photos: number): string {
  return Object.assign(new URL(url), { pathname: `/bench_${photos}` }).href;
}

async function gallery(url: string, dataDir: string, photos: number): Promise<Server> {
  await query(url, `CREATE DATABASE bench_${photos}`);
  await makeGallery(dataDir, databaseUrl(url, photos), { photos, albumEvery });
  await makeSearchable((sql) => query(databaseUrl(url, photos), sql));
  await query(databaseUrl(url, photos), 'VACUUM ANALYZE');
  const server = await startServer('gallery', dataDir, databaseUrl(url, photos));
  // Thumbnails are stored only now, because a database refuses storage that already holds photos.
  await storeThumbs(dataDir, albumEvery);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Compares response times of single requests, and the server's CPU for lists. */
async function compare(name: string, read: Read, few: Server, many: Server): Promise<void> {
  const times: { few: number; many: number }[] = [];
  for (let round = -1; round < rounds; round++) {
    const first = await timePerRequest(few, read, small, round);
    const second = await timePerRequest(many, read, large, round);
    // The round before the first measured one only fills caches.
    if (round >= 0) times.push({ few: first, many: second });
  }
  const ratio = median(times.map(({ few, many }) => many / few));
  const [a, b] = [median(times.map(({ few }) => few)), median(times.map(({ many }) => many))];
  console.log(
    `${name} on PostgreSQL: ${a.toFixed(2)} ms of ${small}, ${b.toFixed(2)} ms of ${large}, ${ratio.toFixed(2)} times`,
  );
  if (read.path(0, large) !== '/api/photos') return;
  const load = { path: '/api/photos', headers: read.headers, requests: 2000 };
  const cpu = [await cpuPerRequest(few, load), await cpuPerRequest(many, load)] as const;
  console.log(`  CPU of the server: ${cpu[0].toFixed(0)} µs and ${cpu[1].toFixed(0)} µs`);
}

/** Returns the average milliseconds of one request, including the network. */
async function timePerRequest(
  { url }: Server,
  { path, headers }: Read,
  photos: number,
  round: number,
): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < perRound; n++) {
    const response = await fetch(url + path((round + 1) * perRound + n, photos), { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path(n, photos)}: ${response.status}`);
  }
  return (performance.now() - start) / perRound;
}

/** Prints the table sizes that docs/scale.md calculates with. */
async function reportSizes(url: string): Promise<void> {
  const rows = await query(
    url,
    `SELECT relname AS name, n_live_tup AS rows, pg_relation_size(relid) AS heap, pg_indexes_size(relid) AS indexes
     FROM pg_stat_user_tables WHERE pg_total_relation_size(relid) > 10000000 ORDER BY pg_total_relation_size(relid) DESC`,
  );
  for (const { name, rows: count, heap, indexes } of rows) {
    const mb = (bytes: string) => `${(Number(bytes) / 1e6).toFixed(0)} MB`;
    console.log(`${name}: ${count} rows, ${mb(heap!)} and ${mb(indexes!)} of indexes`);
  }
}

if (import.meta.main) await benchPostgres();
