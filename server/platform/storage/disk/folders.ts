/** Folders of the disk driver: created at the first start, then recognized and tested at every start. */
import { randomBytes } from 'node:crypto';
import { access, link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { shareRunningCall } from '../../concurrency/shared-call.ts';
import {
  getErrorCode,
  ignoreFullStorage,
  isMissingFileError,
  StorageUnusable,
  toStorageError,
} from '../../errors/storage.ts';
import { syncFolder, writeDurably } from '../durable.ts';
import { clearTemporaryFiles, temporaryName } from '../temporary.ts';

/**
 * Name of the SQLite database file. If the database exists beside the files folder, the marker of the files must exist
 * too.
 */
const databaseFile = 'lightwell.db';
/** Name of the file that `ping` overwrites at each check, so that no test file has to be removed. */
const pingName = '.ping';

/** Names of the folders that objects are spread over: the first two hex digits of their key. */
export const shardFolderNames = Array.from({ length: 256 }, (_, index) =>
  index.toString(16).padStart(2, '0'),
);

interface DiskFolders {
  /** Storage id from the marker file, which never changes. */
  id: string;
  files: string;
  tmp: string;
  /** Weaknesses of the file system, as sentences for the operator. */
  warnings: string[];
  ping(): Promise<void>;
}

export async function openStorageFolders(dataDir: string): Promise<DiskFolders> {
  const files = join(dataDir, 'files');
  const tmp = join(dataDir, 'tmp');
  let id = await readMarker(files);
  const hasDatabase = await fileExists(join(dataDir, databaseFile));
  // The marker is read again, because another starting process creates its marker first and its database second.
  id ??= await readMarker(files);
  if (id === undefined && hasDatabase) {
    throw new StorageUnusable(
      `${files} is not the photo folder of this gallery: its marker .lightwell is missing. Is a ` +
        'volume not mounted? If the photos were lost or moved, restore the folder with its marker.',
    );
  }
  const warnings: string[] = [];
  try {
    await mkdir(files, { recursive: true, mode: 0o700 });
    await mkdir(tmp, { recursive: true, mode: 0o700 });
    id ??= await writeStorageMarker(files, join(tmp, temporaryName()));
    await makeShards(files);
    if (!(await syncFolder(dataDir))) warnings.push(unsyncedFolderWarning(dataDir));
    await clearTemporaryFiles(tmp);
    await ignoreFullStorage(tryWriting(files, tmp));
  } catch (error) {
    throw createUnusableError(dataDir, error);
  }
  return { id, files, tmp, warnings, ping: shareRunningCall(() => checkFoldersUsable(files, tmp)) };
}

function unsyncedFolderWarning(dataDir: string): string {
  return (
    `The file system of ${dataDir} cannot sync a folder (fsync). A power cut may lose the photos of the last ` +
    'seconds. Use a local disk for DATA_DIR.'
  );
}

/** Finds the folders of an existing gallery and writes nothing. Throws StorageUnusable when there is none. */
export async function findStorageFolders(dataDir: string): Promise<DiskFolders> {
  const files = join(dataDir, 'files');
  const tmp = join(dataDir, 'tmp');
  const id = await readMarker(files);
  if (id === undefined) throw new StorageUnusable(`${files} holds no photos of a gallery.`);
  return { id, files, tmp, warnings: [], ping: async () => {} };
}

/**
 * Creates all folders for objects at the start. `put` never creates a folder, so it cannot write into the empty mount
 * point of a vanished volume.
 */
async function makeShards(files: string): Promise<void> {
  const present = new Set(await readdir(files));
  const missing = shardFolderNames.filter((shard) => !present.has(shard));
  if (missing.length === 0) return;
  await Promise.all(missing.map((shard) => mkdir(join(files, shard), { recursive: true, mode: 0o700 })));
  await syncFolder(files);
}

async function checkFoldersUsable(files: string, tmp: string): Promise<void> {
  try {
    if ((await readMarker(files)) === undefined) throw new Error('the marker of the storage is missing');
    await tryWriting(files, tmp);
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Tests the storage with the same steps as storing an object, with one byte. */
async function tryWriting(files: string, tmp: string): Promise<void> {
  const path = join(tmp, temporaryName());
  try {
    await writeDurably(path, Buffer.from('.'));
    await rename(path, join(files, pingName));
  } catch (error) {
    // Health checks run often, so a failed test must leave no file behind.
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

async function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function createUnusableError(dataDir: string, error: unknown): StorageUnusable {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'EXDEV'
      ? 'its folders files and tmp must be on the same volume'
      : `it is not writable (${message})`;
  return new StorageUnusable(`Cannot use the storage in ${dataDir}: ${why}.`, error);
}

/**
 * Name of the marker file, which distinguishes the storage from the empty mount point of an unmounted volume. The
 * random id in the marker distinguishes one gallery's storage from another's.
 */
const markerName = '.lightwell';

/** Returns the storage's id, or undefined if there is no marker. */
async function readMarker(files: string): Promise<string | undefined> {
  try {
    return (await readFile(join(files, markerName), 'utf8')).trim();
  } catch (error) {
    if (isMissingFileError(error)) return undefined;
    throw new StorageUnusable(`Cannot read the storage in ${files}: ${(error as Error).message}`, error);
  }
}

/** Writes a marker unless another process was faster. Returns the id in the marker that exists afterwards. */
export async function writeStorageMarker(files: string, temporary: string): Promise<string> {
  await writeDurably(temporary, Buffer.from(`${randomBytes(16).toString('hex')}\n`));
  try {
    // A link, unlike a rename, fails if another starting process has created the marker already.
    await link(temporary, join(files, markerName));
  } catch (error) {
    // FAT and some network file systems have no hard links.
    if (getErrorCode(error) !== 'EEXIST') await rename(temporary, join(files, markerName));
  }
  await rm(temporary, { force: true });
  await syncFolder(files);
  return (await readMarker(files)) ?? '';
}
