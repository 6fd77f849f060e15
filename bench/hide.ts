/**
 * Hides and shows an album of a hundred thousand photos. Measures the owner's wait, the time until all rows
 * have changed, and the waits of other users. Compares them with one transaction that changes the same rows
 * by bare statements.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../server/platform/db/index.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { report, runAlone } from './limits.ts';
import { type Server, startServer } from './measure.ts';
import { albumId, albumOwner, makeGallery, notifications, reader, unhurried } from './seed-people.ts';

/** Every fifth photo is in the album and has three tags: a hundred thousand photos. */
const sizes = { photos: Number(process.env.BENCH_PHOTOS ?? 500_000), albumEvery: 5, comments: notifications };
const inAlbum = Math.floor(sizes.photos / sizes.albumEvery);

const pauseMs = 20;
const maxFollowMs = 600_000;
/**
 * Limits, as the number of rows that one transaction changes in the same time; smaller albums thus have the
 * same limits. Hiding changes no row before its response, showing changes two thousand. A like waits for a
 * few batches of a thousand.
 */
const maxRows = { hidden: 5000, shown: 20_000, like: 10_000 };
const computeLimit = (rows: number) => rows / inAlbum;

interface Measured {
  what: 'hidden' | 'shown';
  /** Milliseconds until the owner's response, and until all rows have their final values. */
  answered: number;
  followed: number;
  cpuSeconds: number;
  /** Milliseconds of each request that other users sent meanwhile. */
  lists: number[];
  likes: number[];
  /** Response bodies of refused likes. */
  refused: string[];
}

export async function benchHide(isSqliteOnly = false): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    await benchOn('SQLite', join(folder, 'sqlite'));
    if (isSqliteOnly) return;
    const postgres = await startPostgres();
    await benchOn('PostgreSQL', join(folder, 'postgres'), postgres.url).finally(postgres.stop);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function benchOn(database: string, dataDir: string, url?: string): Promise<void> {
  await makeGallery(dataDir, url, sizes);
  const server = await startServer('gallery', dataDir, ...(url ? [url] : []));
  const measured: Measured[] = [];
  try {
    const tags = await countTagged(server);
    for (const isPublic of [0, 1]) measured.push(await measure(server, isPublic, isPublic ? tags : 0));
  } finally {
    await server.stop();
  }
  const bare = await inOneTransaction(dataDir, url);
  console.log(
    `\n${database}, an album of ${inAlbum.toLocaleString('en')}: bare statements in one transaction take ` +
      `${(bare / 1000).toFixed(1)} s`,
  );
  for (const one of measured) reportLine(database, one, bare);
}

function reportLine(database: string, measured: Measured, bare: number): void {
  const { what, answered, followed, cpuSeconds, lists, likes, refused } = measured;
  const like = percentile(likes, 0.99);
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  console.log(
    `${what}: all of it followed after ${(followed / 1000).toFixed(1)} s and ${cpuSeconds.toFixed(1)} s of CPU with ` +
      `readers and writers; meanwhile ${lists.length} lists, the slowest ${ms(Math.max(...lists))}; ` +
      `${likes.length} likes, the slowest ${ms(Math.max(...likes))}`,
  );
  const times = 'times the one transaction';
  report(
    `${database}, ${what}, answered after ${ms(answered)}`,
    answered / bare,
    times,
    computeLimit(maxRows[what]),
  );
  report(
    `${database}, ${what}, likes meanwhile, p99 ${ms(like)}`,
    like / bare,
    times,
    computeLimit(maxRows.like),
  );
  report(
    `${database}, ${what}, likes refused${refused[0] ? `: ${refused[0]}` : ''}`,
    refused.length,
    'likes',
    0,
  );
}

function percentile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** Measures one change. `tags` is the sum of tag counts after all rows have changed. */
async function measure(server: Server, isPublic: number, tags: number): Promise<Measured> {
  const before = await readTotal(server);
  const strange = await findForeignPhoto(server);
  const usage = await server.usage();
  const start = performance.now();
  const refused: string[] = [];
  let isDone = false;
  const lists = measureTimes(
    () => readTotal(server),
    () => isDone,
  );
  const likes = measureTimes(
    async () => {
      const refusal = await like(server, strange);
      if (refusal) refused.push(refusal);
    },
    () => isDone,
  );
  // Failures of these requests are thrown where `others` is awaited.
  const others = Promise.all([lists, likes]);
  others.catch(() => {});
  try {
    await setPublic(server, isPublic);
    const answered = performance.now() - start;
    const after = before + (isPublic ? inAlbum : -inAlbum);
    if (!isPublic && (await readTotal(server)) !== after) throw new Error('what is hidden was counted');
    await untilFollowed(server, after, tags);
    const followed = performance.now() - start;
    const cpuSeconds = ((await server.usage()).cpuMicros - usage.cpuMicros) / 1e6;
    isDone = true;
    const what = isPublic ? 'shown' : 'hidden';
    const [listTimes, likeTimes] = await others;
    return { what, answered, followed, cpuSeconds, lists: listTimes, likes: likeTimes, refused };
  } finally {
    isDone = true;
    await Promise.allSettled([lists, likes]);
  }
}

async function setPublic({ url }: Server, isPublic: number): Promise<void> {
  const { status } = await fetch(`${url}/api/albums/${albumId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${albumOwner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ is_public: isPublic }),
  });
  if (status !== 200) throw new Error(`${status} instead of 200`);
}

async function measureTimes(work: () => Promise<unknown>, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isDone()) {
    const asked = performance.now();
    await work();
    times.push(performance.now() - asked);
    await pause(pauseMs);
  }
  return times;
}

/**
 * Waits until all rows have changed. Rows of tags change after rows of photos, and only photos of the album
 * have tags.
 */
async function untilFollowed(server: Server, total: number, tags: number): Promise<void> {
  const end = performance.now() + maxFollowMs;
  while ((await readTotal(server)) !== total || (await countTagged(server)) !== tags) {
    if (performance.now() > end) throw new Error(`not all has followed after ${maxFollowMs / 1000} s`);
    await pause(pauseMs);
  }
}

/**
 * Returns the milliseconds of hiding in one transaction, by database statements alone: rows of photos, albums and
 * tags, with their triggers. The transaction does less than the service, and is rolled back.
 */
async function inOneTransaction(dataDir: string, url: string | undefined): Promise<number> {
  const { kysely, close } = await openDatabase({ dataDir, url, limits: unhurried, onError: console.error });
  const transaction = await kysely.startTransaction().execute();
  try {
    const start = performance.now();
    const photos = sql`SELECT id FROM photos WHERE album_id = ${albumId}`;
    await sql`UPDATE photos SET visibility = 1 WHERE id IN (${photos})`.execute(transaction);
    for (const table of ['album_photos', 'photo_views', 'photo_counts', 'photo_tags']) {
      await sql`UPDATE ${sql.table(table)} SET visibility = 1 WHERE photo_id IN (${photos})`.execute(
        transaction,
      );
    }
    return performance.now() - start;
  } finally {
    await transaction.rollback().execute();
    await close();
  }
}

async function findForeignPhoto(server: Server): Promise<number> {
  const { list } = await read<{ list: { id: number; user: { id: number } }[] }>(
    server,
    '/api/photos?limit=100',
  );
  return list.find(({ user }) => user.id !== albumOwner.id)!.id;
}

/** Likes a photo. Returns the response body of a refusal, or undefined after success. */
async function like(server: Server, photo: number): Promise<string | undefined> {
  const response = await fetch(`${server.url}/api/photos/${photo}/like`, {
    method: 'POST',
    headers: { authorization: `Bearer ${reader.token}` },
  });
  const body = await response.text();
  return response.status === 200 ? undefined : body;
}

async function readTotal(server: Server): Promise<number> {
  return (await read<{ pagination: { total: number } }>(server, '/api/photos?limit=1')).pagination.total;
}

async function countTagged(server: Server): Promise<number> {
  const { list } = await read<{ list: { count: number }[] }>(server, '/api/tags?limit=100');
  return list.reduce((sum, { count }) => sum + count, 0);
}

async function read<Data>({ url }: Server, path: string): Promise<Data> {
  const response = await fetch(`${url}${path}`);
  return ((await response.json()) as { data: Data }).data;
}

if (import.meta.main) await runAlone(() => benchHide(process.argv[2] === 'sqlite'));
