/** Homes for galleries: a folder each, with a database of the kind that the tests run on where that is asked for. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { type Gallery, makeTestDatabase, startGallery } from '../../support/harness.ts';
import { makeBucket, s3Keys } from '../../support/s3.ts';
import { copySqliteTemplate } from '../../support/templates.ts';

/** What is made is gone at its end; in a `before` hook, `after` itself would end it at once. */
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
  /** With the tables of an empty gallery, which are copied: making them takes longer than most tests. */
  isMigrated?: boolean;
}

export type MakeHome = (scope: Scope, options?: HomeOptions) => Promise<GalleryLocation>;

export const sqliteHome: MakeHome = async (scope, { isMigrated = false } = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-move-'));
  scope.after(() => rm(dataDir, { recursive: true, force: true }));
  if (isMigrated) await copySqliteTemplate(dataDir);
  return { dataDir, databaseUrl: undefined, storageUrl: undefined, storageKeys: undefined };
};

/** On the database and the storage that this run of the tests is for. */
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

/** A server there, with an address of its own in links: what it answers does not depend on its port. */
export function serve(home: GalleryLocation): Promise<Gallery> {
  return startGallery({ ...home, baseUrl: 'https://photos.example.org' });
}

/** Every file below the folder with its bytes; a database's log and index of it come and go. */
export async function readAllBytes(dataDir: string): Promise<Record<string, string>> {
  const bytes: Record<string, string> = {};
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /-(wal|shm)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    bytes[path] = (await readFile(path)).toString('base64');
  }
  return bytes;
}
