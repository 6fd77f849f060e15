/**
 * Databases with the current schema as templates, because migrating a new database takes longer than most
 * tests.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { sqliteFile } from '../../server/platform/db/database-location.ts';
import { openDatabase } from '../../server/platform/db/index.ts';
import { writeStorageMarker } from '../../server/platform/storage/disk/folders.ts';

/** The name of the PostgreSQL database that the test runner creates once for all tests. */
export const postgresTemplate = 'lightwell_template';

export async function makePostgresTemplate(server: string): Promise<void> {
  await runAsAdmin(server, `CREATE DATABASE ${postgresTemplate}`);
  const url = new URL(server);
  url.pathname = `/${postgresTemplate}`;
  await migrateDatabase({ dataDir: '', url: url.href });
}

let sqliteTemplate: Promise<Buffer> | undefined;

/** Copies an empty SQLite database to the data folder, and creates a folder for photos. */
export async function copySqliteTemplate(dataDir: string): Promise<void> {
  sqliteTemplate ??= makeSqliteTemplate();
  const files = join(dataDir, 'files');
  await mkdir(files);
  await writeStorageMarker(files, join(dataDir, 'marker'));
  await writeFile(sqliteFile(dataDir), await sqliteTemplate);
}

async function makeSqliteTemplate(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-template-'));
  await migrateDatabase({ dataDir, url: undefined });
  const bytes = await readFile(sqliteFile(dataDir));
  await rm(dataDir, { recursive: true });
  return bytes;
}

async function migrateDatabase(place: { dataDir: string; url: string | undefined }): Promise<void> {
  const database = await openDatabase({
    ...place,
    onError(error) {
      throw error;
    },
  });
  await database.close();
}

export async function runAsAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
