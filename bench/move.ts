/**
 * Measures `lightwell move` per thousand photos, from SQLite and a folder to PostgreSQL and another folder.
 * Compares with bare tools: INSERT of the same rows into the same tables, and `cp -r` of the same files.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../server/config.ts';
import { closeDeps, openDeps } from '../server/deps.ts';
import type { BulkReader } from '../server/platform/db/bulk.ts';
import { bulkDatabase, openDatabase } from '../server/platform/db/index.ts';
import { insertPostgresRows } from '../server/platform/db/postgres/bulk.ts';
import { fillDatabase, verifyDatabaseRows } from '../server/tools/transfer/fill.ts';
import { moveGallery } from '../server/tools/transfer/move/move.ts';
import { silentProgress } from '../server/tools/transfer/progress.ts';
import { copiedTables, type RowBatch } from '../server/tools/transfer/tables.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { seed } from './seed.ts';

const rowCounts = Number(process.env.BENCH_MOVE_PHOTOS ?? 100_000);
const fileCounts = 1000;
/** Bytes of a photo's files, smaller than usual, so that the cost of each file stays visible. */
const sizes = { 'original.jpg': 800_000, 'preview.jpg': 150_000, 'thumb.webp': 12_000 };

export async function benchMove(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const postgres = await startPostgres();
  try {
    await benchRows(postgres.url);
    await benchFiles(postgres.url, folder);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

async function benchRows(server: string): Promise<void> {
  const dataDir = await seed(rowCounts);
  const from = await bulkDatabase({ dataDir, url: undefined });
  const [bare, ours] = [await newDatabase(server), await newDatabase(server)];
  const reader = await from.reader();
  const batches: RowBatch[] = [];
  for await (const batch of readBatches(reader)) batches.push(batch);
  const rows = batches.reduce((sum, batch) => sum + batch.rows.length, 0);
  const inserted = await seconds(() => insertBare(bare, batches));
  const to = await bulkDatabase({ dataDir, url: ours });
  const tables = copiedTables(await reader.tables());
  let sums = {};
  const filled = await seconds(async () => {
    const highestIds = () => reader.highestIds();
    sums = await fillDatabase(to, { tables, batches: readBatches(reader), highestIds }, {});
  });
  const verified = await seconds(() => verifyDatabaseRows(to, sums));
  await reader.close();
  console.log(`\nmove, rows: ${rowCounts} photos, ${rows} rows; seconds per thousand photos`);
  report('bare INSERT, index of words left out', inserted, inserted, rowCounts);
  report('move, with the index of words', filled, inserted, rowCounts);
  report('move, and all read back and compared', filled + verified, inserted, rowCounts);
}

async function benchFiles(server: string, folder: string): Promise<void> {
  const dataDir = join(folder, 'source');
  await makeGallery(dataDir);
  const files = join(dataDir, 'files');
  const copied = await seconds(async () => {
    execFileSync('cp', ['-r', files, join(folder, 'bare')]);
    execFileSync('sync', [folder]);
  });
  const to = { dataDir: join(folder, 'target'), databaseUrl: await newDatabase(server) };
  const cpu = process.cpuUsage();
  const moved = await seconds(async () => {
    await moveGallery({
      from: { dataDir, databaseUrl: undefined },
      to,
      acceptDamage: false,
      progress: silentProgress,
    });
  });
  const megabytes = Object.values(sizes).reduce((sum, size) => sum + size, 0) / 1000;
  console.log(
    `move, all: ${fileCounts} photos of ${megabytes} kB in three files; seconds per thousand photos`,
  );
  const { user, system } = process.cpuUsage(cpu);
  console.log(`  processor time of the move: ${((user + system) / 1e3 / fileCounts).toFixed(2)} s`);
  report('cp -r of the files, then sync', copied, copied, fileCounts);
  report('move: every file synced, read back, compared', moved, copied, fileCounts);
}

/**
 * Inserts the rows as a person could by hand: table by table, without triggers and foreign keys, with
 * indexes.
 */
async function insertBare(url: string, batches: RowBatch[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  await client.query('BEGIN; TRUNCATE settings');
  for (const { table, rows } of batches) {
    await insertPostgresRows(client, table, rows);
  }
  await client.query('COMMIT');
  await client.end();
}

async function* readBatches(reader: BulkReader): AsyncGenerator<RowBatch> {
  for (const table of copiedTables(await reader.tables())) {
    for await (const rows of reader.read(table)) yield { table, rows };
  }
}

async function newDatabase(server: string): Promise<string> {
  const name = `bench_${Math.random().toString(36).slice(2)}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = name;
  await (await openDatabase({ dataDir: tmpdir(), url: url.href, onError: console.error })).close();
  return url.href;
}

/** Creates a gallery of seeded rows with files and their checksums. */
async function makeGallery(dataDir: string): Promise<void> {
  await cp(await seed(fileCounts), dataDir, { recursive: true });
  const deps = await openDeps({ ...readConfig({}), dataDir }, pino({ level: 'silent' }));
  const { kysely } = deps.db;
  for (const { id } of await kysely.selectFrom('photos').select('id').execute()) {
    // Seeded keys are consecutive numbers, which would all lie in one folder.
    const key = hash('md5', `photo ${id}`);
    await kysely.updateTable('images').set({ key }).where('photo_id', '=', id).execute();
    const shard = join(dataDir, 'files', key.slice(0, 2));
    await mkdir(shard, { recursive: true });
    for (const [kind, size] of Object.entries(sizes)) {
      const bytes = Buffer.alloc(size, `${kind} of photo ${id}, `);
      await writeFile(join(shard, `${key}.${kind}`), bytes);
      if (kind !== 'original.jpg') continue;
      const row = { sha256: hash('sha256', bytes), image_key: key, original_key: key };
      await kysely.updateTable('photos').set(row).where('id', '=', id).execute();
    }
  }
  await closeDeps(deps);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function report(what: string, took: number, bare: number, photos: number): void {
  const each = ((took / photos) * 1000).toFixed(3);
  console.log(`  ${what.padEnd(46)} ${each.padStart(8)} s   ${(took / bare).toFixed(2)} x`);
}

if (import.meta.main) await benchMove();
