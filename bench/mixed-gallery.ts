/**
 * Galleries for `mixed.ts`: a hundred thousand photos of a thousand people, and a hundred signed-in readers.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { tokenHash } from '../server/gallery/identity/tokens.ts';
import { openDatabase } from '../server/platform/db/index.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { type Server, startServer } from './measure.ts';
import { readerId, tokens } from './mixed-load.ts';
import { databaseMs } from './postgres-cpu.ts';
import { storeThumbs, thumbPath, thumbs } from './postgres-reads.ts';
import { makeGallery } from './seed-people.ts';

export const photos = 100_000;
const albumEvery = 10;
/** Raise this number when the seeded gallery changes. */
const schemaVersion = 3;

/** Returns the path of a photo with an image; such photos are spread over the whole table. */
export const detailPath = (n: number) =>
  `/api/photos/${albumEvery * (1 + ((n * 7919) % (photos / albumEvery - 1)))}`;
export const anyThumb = (n: number) => thumbPath(albumEvery * (1 + (n % thumbs)));

export interface Gallery {
  name: string;
  server: Server;
  /** Returns the CPU microseconds of the server and its database so far. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** Opens the SQLite gallery, which stays in `bench/data` for later runs. */
export async function openSqliteGallery(): Promise<Gallery> {
  const dataDir = join(import.meta.dirname, 'data', `mixed-${photos}-v${schemaVersion}`);
  const mark = join(dataDir, 'seeded');
  if (!existsSync(mark)) {
    rmSync(dataDir, { recursive: true, force: true });
    await fill(dataDir, undefined);
    writeFileSync(mark, '');
  }
  const server = await startServer('gallery', dataDir);
  return plain('SQLite', server);
}

/** Wraps a server without a database process as a gallery. */
export function plain(name: string, server: Server): Gallery {
  return {
    name,
    server,
    cpuMicros: async () => (await server.usage()).cpuMicros,
    stop: () => server.stop(),
  };
}

export async function openPostgresGallery(): Promise<Gallery> {
  const postgres = await startPostgres();
  const dataDir = join(import.meta.dirname, 'data', 'mixed-postgres');
  rmSync(dataDir, { recursive: true, force: true });
  await fill(dataDir, postgres.url);
  const server = await startServer('gallery', dataDir, postgres.url);
  return {
    name: 'PostgreSQL',
    server,
    cpuMicros: async () => (await server.usage()).cpuMicros + 1000 * (await databaseMs(postgres.url)),
    async stop() {
      await server.stop();
      await postgres.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function fill(dataDir: string, url: string | undefined): Promise<void> {
  await makeGallery(dataDir, url, { photos, albumEvery });
  const database = await openDatabase({ dataDir, url, onError: console.error });
  for (const [n, token] of tokens.entries()) {
    await sql`INSERT INTO sessions (user_id, token_hash, user_agent, ip, create_time, last_used_time, expire_time)
      VALUES (${readerId(n)}, ${tokenHash(token)}, '', '', ${1_600_000_000}, ${4e9}, ${5e9})`.execute(
      database.kysely,
    );
  }
  if (url) await sql`VACUUM ANALYZE`.execute(database.kysely);
  await database.close();
  // A database refuses storage that already holds photos, so the server must open both first.
  const server = await startServer('gallery', dataDir, ...(url ? [url] : []));
  await server.stop();
  await storeThumbs(dataDir, albumEvery);
}
