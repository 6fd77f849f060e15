/** Copies the gallery of `seed.ts` to PostgreSQL, in the same way as `lightwell move`. */
import { mkdirSync } from 'node:fs';
import pg from 'pg';
import { bulkDatabase, openDatabase } from '../server/platform/db/index.ts';
import { openStorage } from '../server/platform/storage/open.ts';
import { fillDatabase } from '../server/tools/transfer/fill.ts';
import { copiedTables, type RowBatch } from '../server/tools/transfer/tables.ts';

/**
 * Settings for a million photos, as docs/postgresql.md advises: the default of 128 MB is too small for
 * searching them.
 */
export const advisedSettings = { shared_buffers: '1GB' };

/**
 * Creates a new database on the PostgreSQL server and returns its URL. `seeded` is the folder of the SQLite
 * gallery. `dataDir` is an empty folder for the storage.
 */
export async function seedPostgres(server: string, seeded: string, dataDir: string): Promise<string> {
  console.log('carrying the gallery over to PostgreSQL …');
  const url = Object.assign(new URL(server), { pathname: '/bench_queries' }).href;
  await query(server, 'CREATE DATABASE bench_queries');
  mkdirSync(dataDir, { recursive: true });
  await openStorage({ dataDir });
  await (await openDatabase({ dataDir, url, onError: console.error })).close();
  const reader = await (await bulkDatabase({ dataDir: seeded, url: undefined })).reader();
  const tables = copiedTables(await reader.tables());
  async function* batches(): AsyncGenerator<RowBatch> {
    for (const table of tables) for await (const rows of reader.read(table)) yield { table, rows };
  }
  const source = { tables, batches: batches(), highestIds: () => reader.highestIds() };
  await fillDatabase(await bulkDatabase({ dataDir, url }), source, {});
  await reader.close();
  // Collects statistics for the query planner, which autovacuum would normally do.
  await query(url, 'VACUUM ANALYZE');
  return url;
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
