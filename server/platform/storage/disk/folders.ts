/** The folders of the disk driver: made at the first start, recognised and tried at every other. */
import { randomBytes } from 'node:crypto';
import { access, link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedCall } from '../../concurrency/shared-call.ts';
import { codeOf, isMissing, StorageUnusable, toStorageError, unlessFull } from '../../errors/storage.ts';
import { syncFolder, writeDurably } from '../durable.ts';
import { clearTemporaryFiles, temporaryName } from '../temporary.ts';

/** The embedded database lies beside the files: where it is, the files must be too. */
const databaseFile = 'lightwell.db';
/** Written over and over by `ping`, so that nothing of it has to be removed. */
const pingName = '.ping';

/** Every folder that objects are spread over, by the first two digits of their key. */
export const shards = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

interface DiskFolders {
  /** From the marker; the same for as long as the storage exists. */
  id: string;
  files: string;
  tmp: string;
  ping(): Promise<void>;
}

export async function openFolders(dataDir: string): Promise<DiskFolders> {
  const files = join(dataDir, 'files');
  const tmp = join(dataDir, 'tmp');
  let id = await readMarker(files);
  const hasDatabase = await exists(join(dataDir, databaseFile));
  // Asked again: a process that starts at the same moment makes its marker first and its database second.
  id ??= await readMarker(files);
  if (id === undefined && hasDatabase) {
    throw new StorageUnusable(
      `${files} is not the folder that this gallery keeps its photos in (its marker .lightwell is missing). ` +
        'Is a volume not mounted? If the photos were lost or moved, bring the folder back, marker included.',
    );
  }
  try {
    await mkdir(files, { recursive: true, mode: 0o700 });
    await mkdir(tmp, { recursive: true, mode: 0o700 });
    id ??= await writeMarker(files, join(tmp, temporaryName()));
    await makeShards(files);
    await syncFolder(dataDir);
    await clearTemporaryFiles(tmp);
    await unlessFull(tryWriting(files, tmp));
  } catch (error) {
    throw unusable(dataDir, error);
  }
  return { id, files, tmp, ping: sharedCall(() => ping(files, tmp)) };
}

/** Those of a gallery that is there; throws StorageUnusable when there is none. Writes nothing. */
export async function findFolders(dataDir: string): Promise<DiskFolders> {
  const files = join(dataDir, 'files');
  const tmp = join(dataDir, 'tmp');
  const id = await readMarker(files);
  if (id === undefined) throw new StorageUnusable(`There are no photos of a gallery in ${files}.`);
  return { id, files, tmp, ping: async () => {} };
}

/**
 * All at once, at the start: `put` then never makes a folder, and so never writes into the empty mount point
 * of a volume that vanished while the server ran.
 */
async function makeShards(files: string): Promise<void> {
  const present = new Set(await readdir(files));
  const missing = shards.filter((shard) => !present.has(shard));
  if (missing.length === 0) return;
  await Promise.all(missing.map((shard) => mkdir(join(files, shard), { recursive: true, mode: 0o700 })));
  await syncFolder(files);
}

async function ping(files: string, tmp: string): Promise<void> {
  try {
    if ((await readMarker(files)) === undefined) throw new Error('the marker of the storage is gone');
    await tryWriting(files, tmp);
  } catch (error) {
    throw toStorageError(error);
  }
}

/** What storing an object does, with one byte. */
async function tryWriting(files: string, tmp: string): Promise<void> {
  const path = join(tmp, temporaryName());
  try {
    await writeDurably(path, Buffer.from('.'));
    await rename(path, join(files, pingName));
  } catch (error) {
    // Health is asked again and again: nothing of a try may stay.
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function unusable(dataDir: string, error: unknown): StorageUnusable {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'EXDEV'
      ? 'its folders files and tmp must lie on one volume'
      : `it cannot be written (${message})`;
  return new StorageUnusable(`The storage in ${dataDir} cannot be used: ${why}.`, error);
}

/**
 * Tells the storage from the empty folder that an unmounted volume leaves behind, and, by the random id in it, one
 * gallery's storage from another's.
 */
const markerName = '.lightwell';

/** The storage's id, or undefined where there is no marker. */
async function readMarker(files: string): Promise<string | undefined> {
  try {
    return (await readFile(join(files, markerName), 'utf8')).trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new StorageUnusable(`The storage in ${files} cannot be read: ${(error as Error).message}`, error);
  }
}

/** Writes a marker unless another process was first; returns the id that holds. */
export async function writeMarker(files: string, temporary: string): Promise<string> {
  await writeDurably(temporary, Buffer.from(`${randomBytes(16).toString('hex')}\n`));
  try {
    // A link, unlike a rename, does not replace the marker of a process that starts at the same moment.
    await link(temporary, join(files, markerName));
  } catch (error) {
    // FAT and some network file systems have no links.
    if (codeOf(error) !== 'EEXIST') await rename(temporary, join(files, markerName));
  }
  await rm(temporary, { force: true });
  await syncFolder(files);
  return (await readMarker(files)) ?? '';
}
