/** The galleries of `mixed.ts`: a hundred thousand photos of a thousand people, and a hundred readers signed in. */
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
/** Raised when the seeded gallery changes. */
const schemaVersion = 3;

/** Those that have an image are all over the table. */
export const detailPath = (n: number) =>
  `/api/photos/${albumEvery * (1 + ((n * 7919) % (photos / albumEvery - 1)))}`;
export const anyThumb = (n: number) => thumbPath(albumEvery * (1 + (n % thumbs)));

export interface Gallery {
  name: string;
  server: Server;
  /** Microseconds of the server and its database so far. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** SQLite: kept in `bench/data` and used again by later runs. */
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

/** Of a server that needs no other process. */
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
  // A database claims no storage that holds photos already: the server has to be the first to open both.
  const server = await startServer('gallery', dataDir, ...(url ? [url] : []));
  await server.stop();
  await storeThumbs(dataDir, albumEvery);
}
