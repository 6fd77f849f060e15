/** What a gallery holds, counted: before and after whatever must leave nothing behind. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { allObjectNames } from '../../server/gallery/delivery/objects.ts';
import type { Database } from '../../server/platform/db/index.ts';
import type { Storage } from '../../server/platform/storage/storage.ts';

/** Of the gallery that is counted; `Deps` is one. */
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

/** The rows of `countHoldings`, without a look at the storage. */
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

/** Names of all objects, sorted. */
export async function listStoredObjects({ storage }: Pick<InspectedGallery, 'storage'>): Promise<string[]> {
  return (await Array.fromAsync(storage.list())).flat().sort();
}

/** The same, past the storage driver, of a gallery whose files lie in `dataDir`. */
export async function listObjectsOnDisk(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/** The folder of a server in another process, as a storage. */
export function listFilesOnDisk(dataDir: string): InspectedGallery['storage'] {
  return {
    async *list() {
      yield await listObjectsOnDisk(dataDir);
    },
  };
}

/** Also those of picture jobs: the folder of a worker that waits is empty. */
export async function listTemporaryFiles(dataDir: string): Promise<string[]> {
  return [...(await readdir(join(dataDir, 'tmp'))), ...(await listJobFiles(dataDir))];
}

/** What lies in the folders of picture workers, as `workers/FOLDER/NAME`. */
async function listJobFiles(dataDir: string): Promise<string[]> {
  // A worker may end meanwhile, and its folder with it.
  const listNames = (folder: string) => readdir(join(dataDir, folder)).catch((): string[] => []);
  const folders = (await listNames('workers')).map((name) => join('workers', name));
  const files = folders.map(async (folder) => (await listNames(folder)).map((name) => join(folder, name)));
  return (await Promise.all(files)).flat();
}

/** Every object that a row names, sorted: what `listStoredObjects` must contain, and in quiet times equals. */
export async function listReferencedObjects({ db }: Pick<InspectedGallery, 'db'>): Promise<string[]> {
  const images = await db.kysely.selectFrom('images').selectAll().execute();
  return images.flatMap(allObjectNames).sort();
}

/** Open descriptors of a process; undefined where the system does not tell. */
export async function countDescriptors(pid: number | 'self' = 'self'): Promise<number | undefined> {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? (await readdir(folder)).length : undefined;
}

/** Waits until `look` is content; throws what it last complained of when that takes too long. */
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
