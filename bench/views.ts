/**
 * Prints the WAL bytes that a view writes on PostgreSQL, and the percentage of HOT updates (docs/scale.md).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../server/platform/db/index.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { makeGallery, unhurried } from './seed-people.ts';

const photos = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
const views = 10_000;
/** Views in one transaction: forty views a second, written four times a second. */
const together = 10;

async function benchViews(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-views-'));
  const postgres = await startPostgres({
    settings: { full_page_writes: 'on', max_wal_size: '16GB', checkpoint_timeout: '1h', autovacuum: 'off' },
  });
  try {
    await makeGallery(dataDir, postgres.url, { photos, albumEvery: 10 });
    const onError = (error: Error) => console.error(error.message, error.cause);
    const db = await openDatabase({ dataDir, url: postgres.url, limits: unhurried, onError });
    try {
      await sql`VACUUM ANALYZE`.execute(db.kysely);
      await sql`CHECKPOINT`.execute(db.kysely);
      await report(db, 'after a checkpoint');
      await report(db, 'later');
    } finally {
      await db.close();
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  }
}

async function report(db: Database, when: string): Promise<void> {
  const before = await read(db);
  for (let n = 0; n < views; n++) {
    // The photos are spread over the table, and none is viewed twice.
    db.counters.count('photoViews', 1 + ((n * 7919) % photos));
    if (n % together === together - 1) await db.counters.flush();
  }
  const after = await read(db);
  const each = (name: keyof typeof after) => ((after[name] - before[name]) / views).toFixed(2);
  console.log(
    `${when}: ${each('bytes')} bytes of WAL a view, ${each('pages')} whole pages in it, ${each('updates')} updates, ` +
      `${each('hot')} of them HOT`,
  );
}

async function read({ kysely }: Database) {
  await sql`SELECT pg_stat_force_next_flush()`.execute(kysely);
  const { rows } = await sql<{ bytes: number; pages: number; updates: number; hot: number }>`
    SELECT wal_bytes AS bytes, wal_fpi AS pages, (SELECT sum(n_tup_upd) FROM pg_stat_user_tables) AS updates,
      (SELECT sum(n_tup_hot_upd) FROM pg_stat_user_tables) AS hot FROM pg_stat_wal`.execute(kysely);
  return rows[0]!;
}

if (import.meta.main) await benchViews();
