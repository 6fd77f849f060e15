/** Creates gallery locations in temporary folders, optionally with the database that the tests run on. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { type Gallery, makeTestDatabase, startGallery } from '../../support/harness.ts';
import { makeBucket, s3Keys } from '../../support/s3.ts';
import { copySqliteTemplate } from '../../support/templates.ts';

/** Collects cleanup work until `end`. In a `before` hook, node's `after` would run the work too early. */
export interface Scope {
  after(work: () => Promise<unknown>): void;
  end(): Promise<void>;
}

export function createScope(): Scope {
  const works: (() => Promise<unknown>)[] = [];
  return {
    after: (work) => void works.push(work),
    async end() {
      for (const work of works.reverse()) await work();
    },
  };
}

export interface HomeOptions {
  /**
   * Creates the tables of an empty gallery by copying a template, because migrations take longer than most
   * tests.
   */
  isMigrated?: boolean;
}

export type MakeHome = (scope: Scope, options?: HomeOptions) => Promise<GalleryLocation>;

export const sqliteHome: MakeHome = async (scope, { isMigrated = false } = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-move-'));
  scope.after(() => rm(dataDir, { recursive: true, force: true }));
  if (isMigrated) await copySqliteTemplate(dataDir);
  return { dataDir, databaseUrl: undefined, storageUrl: undefined, storageKeys: undefined };
};

/** Creates a gallery location with the database and the storage of this test run. */
export const otherHome: MakeHome = async (scope, options = {}) => {
  const database = await makeTestDatabase(options);
  const home = await sqliteHome(scope, database ? {} : options);
  if (database) scope.after(database.drop);
  const isBucket = process.env.TEST_STORAGE === 's3';
  return {
    ...home,
    databaseUrl: database?.url,
    storageUrl: isBucket ? await makeBucket() : undefined,
    storageKeys: isBucket ? s3Keys : undefined,
  };
};

/**
 * Starts a server at the location. Links have a fixed host name, so that responses do not depend on the port.
 */
export function serve(home: GalleryLocation): Promise<Gallery> {
  return startGallery({ ...home, baseUrl: 'https://photos.example.org' });
}

/** Returns the bytes of every file below the folder, except SQLite's log and its index, which come and go. */
export async function readAllBytes(dataDir: string): Promise<Record<string, string>> {
  const bytes: Record<string, string> = {};
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /-(wal|shm)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    bytes[path] = (await readFile(path)).toString('base64');
  }
  return bytes;
}
