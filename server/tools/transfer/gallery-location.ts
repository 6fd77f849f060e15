/** Gallery locations: the URLs or folders of a database and its storage. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BulkDatabase, type BulkReader, withBulkReader } from '../../platform/db/bulk.ts';
import { bulkDatabase } from '../../platform/db/index.ts';
import {
  databaseTooOldMessage,
  listMigrationsSinceBaseline,
  migrationNames,
} from '../../platform/db/migrate.ts';
import type { PostgresLimits } from '../../platform/db/postgres/postgres.ts';
import { claimedStorageSetting } from '../../platform/ownership/claim.ts';
import { openStorage } from '../../platform/storage/open.ts';
import type { S3Keys } from '../../platform/storage/s3/client.ts';
import { parseStorageUrl } from '../../platform/storage/s3/url.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { TransferError } from './errors.ts';

/** Location of a gallery, as in the settings. `dataDir` contains the database or the objects if they have no URL. */
export interface GalleryLocation {
  dataDir: string;
  databaseUrl: string | undefined;
  /** Limits of the database connections; undefined means the server's defaults. */
  databaseLimits?: PostgresLimits;
  storageUrl?: string | undefined;
  storageKeys?: S3Keys | undefined;
}

export interface GallerySource {
  storage: Storage;
  rows: BulkDatabase;
}

/** Returns the gallery location that the operator typed: `postgres://…`, `s3://…`, or a folder like `DATA_DIR`. */
export function parseGalleryLocation(
  database: string,
  storage: string,
  storageKeys: S3Keys | undefined,
): GalleryLocation {
  const databaseUrl = /^postgres(ql)?:\/\//.test(database) ? database : undefined;
  const storageUrl = storage.startsWith('s3://') ? checkedBucket(storage) : undefined;
  const folders = [
    databaseUrl ? undefined : parseFolder(database),
    storageUrl ? undefined : parseFolder(storage),
  ];
  const [first, second] = folders.filter((folder) => folder !== undefined);
  if (first && second && first !== second) {
    throw new TransferError(
      'SQLite and its photos are in one folder: give the same folder for the database and the storage',
    );
  }
  // With PostgreSQL and S3, the folder is used only for temporary files.
  return { dataDir: first ?? join(tmpdir(), 'lightwell-move'), databaseUrl, storageUrl, storageKeys };
}

function checkedBucket(url: string): string {
  try {
    parseStorageUrl(url);
    return url;
  } catch (error) {
    throw new TransferError(`${url}: ${(error as Error).message}`);
  }
}

/**
 * Returns the folder of a location. Accepts the folder, the database file in it, and both as a URL: `file:///…` or
 * `sqlite:…`.
 */
function parseFolder(text: string): string {
  if (/^[a-z0-9+.-]{2,}:/i.test(text) && !/^(file|sqlite):/.test(text)) {
    throw new TransferError(`${text.split(':')[0]}: is not a supported kind of database or storage`);
  }
  const path = text.startsWith('file://') ? fileURLToPath(text) : text.replace(/^(file|sqlite):(\/\/)?/, '');
  const folder = basename(path) === 'lightwell.db' ? dirname(path) : path;
  return resolve(folder);
}

/**
 * Opens a gallery for reading. Throws TransferError if no gallery exists there, if its version differs, or if database and
 * storage do not belong together.
 */
export async function openGallerySource(home: GalleryLocation): Promise<GallerySource> {
  const { dataDir, databaseUrl } = home;
  if (!databaseUrl && !existsSync(join(dataDir, 'lightwell.db'))) {
    throw new TransferError(`${dataDir} contains no gallery`);
  }
  const rows = await bulkDatabase({ dataDir, url: databaseUrl });
  return withBulkReader(rows, async (reader) => {
    const storage = await openStorage({ ...selectStorageOptions(home), isReadOnly: true });
    await checkSchema(reader);
    const expected = await findSettingByReader(reader, claimedStorageSetting);
    if (expected !== storage.id) {
      throw new TransferError('the storage does not belong to this database (their ids differ)');
    }
    return { storage, rows };
  });
}

export function selectStorageOptions({
  dataDir,
  storageUrl,
  storageKeys,
}: Pick<GalleryLocation, 'dataDir' | 'storageUrl' | 'storageKeys'>) {
  return { dataDir, url: storageUrl, keys: storageKeys };
}

async function checkSchema(reader: BulkReader): Promise<void> {
  if (!(await hasMigrations(reader))) {
    throw new TransferError('this database contains no gallery');
  }
  if ((await readGalleryMigrations(reader)).join() === migrationNames.join()) return;
  throw new TransferError(
    'the gallery has the schema of another version: start it once with this version, which ' +
      'upgrades the schema',
  );
}

/** Returns true if the database has the tables of a gallery, of any version. */
export async function hasMigrations(reader: BulkReader): Promise<boolean> {
  return (await reader.tables()).some(({ name }) => name === 'kysely_migration');
}

/** Returns the migrations of a gallery since the baseline. Throws TransferError if the gallery is older. */
export async function readGalleryMigrations(reader: BulkReader): Promise<string[]> {
  const names: string[] = [];
  for await (const rows of reader.query('SELECT name FROM kysely_migration')) {
    names.push(...rows.map(([name]) => String(name)));
  }
  const since = listMigrationsSinceBaseline(names);
  if (!since) throw new TransferError(`the database ${databaseTooOldMessage}`);
  return since;
}

export async function findSettingByReader(reader: BulkReader, name: string): Promise<string | undefined> {
  for await (const rows of reader.query(`SELECT name, value FROM settings`)) {
    const found = rows.find((row) => row[0] === name);
    if (found) return String(found[1]);
  }
  return undefined;
}
