/** Hides and shows an album of a hundred thousand photos: how long its owner waits, and how long readers do meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../test/postgres.ts';
import { type Server, startServer } from './measure.ts';
import { albumId, albumOwner, makeGallery } from './seed-people.ts';

/** Every fifth is in the album, with three tags: a hundred thousand. */
const sizes = { photos: Number(process.env.BENCH_PHOTOS ?? 500_000), albumEvery: 5 };
const inAlbum = Math.floor(sizes.photos / sizes.albumEvery);

const readersPauseMs = 20;

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
  const change = fetch(`${server.url}/api/albums/${albumId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${albumOwner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ is_public: isPublic }),
  }).finally(() => {
    isDone = true;
  });
  let worst = 0;
  const totals = new Set<number>();
  while (!isDone) {
    const asked = performance.now();
    totals.add(await totalOf(server));
    worst = Math.max(worst, performance.now() - asked);
    await pause(readersPauseMs);
  }
  const { status } = await change;
  if (status !== 200) throw new Error(`${status} instead of 200`);
  const seconds = (performance.now() - start) / 1000;
  const cpu = ((await server.usage()).cpuMicros - usage.cpuMicros) / 1e6;
  const after = await totalOf(server);
  if (Math.abs(after - before) !== inAlbum) throw new Error(`${before} became ${after}`);
  if ([...totals].some((total) => total !== before && total !== after))
    throw new Error('a half-done change showed');
  console.log(
    `an album of ${inAlbum.toLocaleString('en')} ${isPublic ? 'shown' : 'hidden'} on ${database}: ${seconds.toFixed(1)} s, ` +
      `${cpu.toFixed(1)} s of CPU with the readers; a list meanwhile at worst ${worst.toFixed(0)} ms`,
  );
}

async function totalOf({ url }: Server): Promise<number> {
  const response = await fetch(`${url}/api/photos?limit=1`);
  const { data } = (await response.json()) as { data: { pagination: { total: number } } };
  return data.pagination.total;
}

if (import.meta.main) await benchHide();
