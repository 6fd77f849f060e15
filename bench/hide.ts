/**
 * Hides and shows an album of a hundred thousand photos: how long its owner waits, until all of it has
 * followed, and how long others wait meanwhile.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../test/support/postgres.ts';
import { type Server, startServer } from './measure.ts';
import { albumId, albumOwner, makeGallery, reader } from './seed-people.ts';

/** Every fifth is in the album, with three tags: a hundred thousand. */
const sizes = { photos: Number(process.env.BENCH_PHOTOS ?? 500_000), albumEvery: 5 };
const inAlbum = Math.floor(sizes.photos / sizes.albumEvery);

const pauseMs = 20;
/** Without a change for so long, nothing follows any longer. */
const settledMs = 10_000;

export async function benchHide(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const postgres = await startPostgres().catch(() => undefined);
  try {
    for (const url of [undefined, ...(postgres ? [postgres.url] : [])]) {
      const dataDir = join(folder, url ? 'postgres' : 'sqlite');
      await makeGallery(dataDir, url, sizes);
      const server = await startServer('gallery', dataDir, ...(url ? [url] : []));
      for (const isPublic of [0, 1]) await report(url ? 'PostgreSQL' : 'SQLite', server, isPublic);
      await server.stop();
    }
  } finally {
    await postgres?.stop();
    await rm(folder, { recursive: true });
  }
}

async function report(database: string, server: Server, isPublic: number): Promise<void> {
  const before = await totalOf(server);
  const usage = await server.usage();
  const start = performance.now();
  let isDone = false;
  const readers = worstOf(
    () => totalOf(server),
    () => isDone,
  );
  const strange = await photoOfOthers(server);
  const writers = worstOf(
    () => like(server, strange),
    () => isDone,
  );
  const { status } = await fetch(`${server.url}/api/albums/${albumId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${albumOwner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ is_public: isPublic }),
  });
  const answered = performance.now() - start;
  if (status !== 200) throw new Error(`${status} instead of 200`);
  const after = before + (isPublic ? inAlbum : -inAlbum);
  if (!isPublic && (await totalOf(server)) !== after) throw new Error('what is hidden was counted');
  const followed = (await whenSettled(server, after)) - start;
  isDone = true;
  const cpu = ((await server.usage()).cpuMicros - usage.cpuMicros) / 1e6;
  if ((await totalOf(server)) !== after) throw new Error(`${before} did not become ${after}`);
  console.log(
    `an album of ${inAlbum.toLocaleString('en')} ${isPublic ? 'shown' : 'hidden'} on ${database}: answered after ` +
      `${(answered / 1000).toFixed(1)} s, all of it followed after ${(followed / 1000).toFixed(1)} s, ${cpu.toFixed(1)} s ` +
      `of CPU with readers and writers; meanwhile at worst a list took ${(await readers).toFixed(0)} ms, a like ` +
      `${(await writers).toFixed(0)} ms`,
  );
}

async function worstOf(work: () => Promise<unknown>, isDone: () => boolean): Promise<number> {
  let worst = 0;
  while (!isDone()) {
    const asked = performance.now();
    await work();
    worst = Math.max(worst, performance.now() - asked);
    await pause(pauseMs);
  }
  return worst;
}

/** Totals and tags change with each batch: when they no longer do. Returns when they last did. */
async function whenSettled(server: Server, after: number): Promise<number> {
  let last = '';
  let since = performance.now();
  while (performance.now() - since < settledMs || (await totalOf(server)) !== after) {
    const { total, tags } = { total: await totalOf(server), tags: await tagsOf(server) };
    const now = `${total} ${tags}`;
    if (now !== last) since = performance.now();
    last = now;
    await pause(pauseMs);
  }
  return since;
}

async function photoOfOthers(server: Server): Promise<number> {
  const { list } = await read<{ list: { id: number; user: { id: number } }[] }>(
    server,
    '/api/photos?limit=100',
  );
  return list.find(({ user }) => user.id !== albumOwner.id)!.id;
}

async function like(server: Server, photo: number): Promise<void> {
  const response = await fetch(`${server.url}/api/photos/${photo}/like`, {
    method: 'POST',
    headers: { authorization: `Bearer ${reader.token}` },
  });
  const body = await response.text();
  if (response.status !== 200) console.log(`a like was refused: ${body}`);
}

async function totalOf(server: Server): Promise<number> {
  return (await read<{ pagination: { total: number } }>(server, '/api/photos?limit=1')).pagination.total;
}

async function tagsOf(server: Server): Promise<number> {
  const { list } = await read<{ list: { count: number }[] }>(server, '/api/tags?limit=100');
  return list.reduce((sum, { count }) => sum + count, 0);
}

async function read<Data>({ url }: Server, path: string): Promise<Data> {
  const response = await fetch(`${url}${path}`);
  return ((await response.json()) as { data: Data }).data;
}

if (import.meta.main) await benchHide();
