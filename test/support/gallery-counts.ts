/** Counts the contents of a gallery, before and after actions that must leave nothing behind. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listImageObjectNames } from '../../server/gallery/delivery/objects.ts';
import type { Database } from '../../server/platform/db/index.ts';
import type { Storage } from '../../server/platform/storage/storage.ts';

/** The parts of a gallery that the counts need. `Deps` has all these parts. */
export interface InspectedGallery {
  db: Database;
  storage: Pick<Storage, 'list'>;
  config: { dataDir: string };
}

export interface GalleryCounts {
  photos: number;
  images: number;
  edits: number;
  objects: number;
  temporary: number;
}

export async function countHoldings({ db, storage, config }: InspectedGallery): Promise<GalleryCounts> {
  return {
    ...(await countRows({ db })),
    objects: (await listStoredObjects({ storage })).length,
    temporary: (await listTemporaryFiles(config.dataDir)).length,
  };
}

/** Counts rows like `countHoldings`, without listing the storage. */
export async function countRows({
  db,
}: Pick<InspectedGallery, 'db'>): Promise<Pick<GalleryCounts, 'photos' | 'images' | 'edits'>> {
  const countTable = async (table: 'photos' | 'images' | 'edits') => {
    const { n } = await db.kysely
      .selectFrom(table)
      .select((is) => is.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  return {
    photos: await countTable('photos'),
    images: await countTable('images'),
    edits: await countTable('edits'),
  };
}

/** Returns the sorted names of all stored objects. */
export async function listStoredObjects({ storage }: Pick<InspectedGallery, 'storage'>): Promise<string[]> {
  return (await Array.fromAsync(storage.list())).flat().sort();
}

/** Returns the sorted names of all objects below `dataDir`, without using the storage driver. */
export async function listObjectsOnDisk(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/** Returns a storage for the data folder of a server in another process. */
export function listFilesOnDisk(dataDir: string): InspectedGallery['storage'] {
  return {
    async *list() {
      yield await listObjectsOnDisk(dataDir);
    },
  };
}

/** Returns the temporary files, including files of imaging jobs. A waiting worker has an empty folder. */
export async function listTemporaryFiles(dataDir: string): Promise<string[]> {
  return [...(await readdir(join(dataDir, 'tmp'))), ...(await listJobFiles(dataDir))];
}

/** Returns the files in the folders of picture workers, as `workers/FOLDER/NAME`. */
async function listJobFiles(dataDir: string): Promise<string[]> {
  // A worker may end during the listing, and its folder is then deleted.
  const listNames = (folder: string) => readdir(join(dataDir, folder)).catch((): string[] => []);
  const folders = (await listNames('workers')).map((name) => join('workers', name));
  const files = folders.map(async (folder) => (await listNames(folder)).map((name) => join(folder, name)));
  return (await Promise.all(files)).flat();
}

/**
 * Returns the sorted names of all objects that rows name. The storage must contain all these objects, and no
 * others when no job is pending.
 */
export async function listReferencedObjects({ db }: Pick<InspectedGallery, 'db'>): Promise<string[]> {
  const images = await db.kysely.selectFrom('images').selectAll().execute();
  return images.flatMap(listImageObjectNames).sort();
}

/**
 * Returns the number of open file descriptors of a process, or undefined on a system that does not report it.
 */
export async function countDescriptors(pid: number | 'self' = 'self'): Promise<number | undefined> {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? (await readdir(folder)).length : undefined;
}

/** Repeats `look` until it does not throw. After the time limit, throws the last error of `look`. */
export async function eventually(look: () => Promise<void>, withinMs = 30_000): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > end || !(error instanceof assert.AssertionError)) throw error;
      await pause(20);
    }
  }
}
