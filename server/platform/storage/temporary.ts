/**
 * Temporary files named `<host>-<pid>-<boot>-<random>`. The name shows whether the process that created a file still
 * runs, so that no process deletes another's files. Files with other names are left alone, because other programs may
 * use `DATA_DIR/tmp` too.
 */
import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { getErrorCode, toStorageError } from '../errors/storage.ts';
import type { TemporaryFile } from './storage.ts';

const hostHash = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Random id that distinguishes this process from an earlier one with the same pid, e.g. pid 1 of a container. */
const bootId = randomBytes(4).toString('hex');
const temporaryNamePattern = /^([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]+$/;

/**
 * Milliseconds without a change after which a file from another host counts as abandoned. Whether a process on another
 * host still runs cannot be checked.
 */
const abandonedAfterMs = 3_600_000;

export function temporaryName(): string {
  return `${hostHash}-${process.pid}-${bootId}-${randomBytes(8).toString('hex')}`;
}

export interface TemporaryFolder {
  /** Returns a new path for a file of this process. The caller creates the file. */
  newPath(): string;
  /** Creates an empty temporary file of this process. */
  make(): Promise<TemporaryFile>;
  /** Removes a file of this process. A failed removal is retried later. */
  discard(path: string): Promise<void>;
  /** Removes files of ended processes, and files whose removal failed earlier. Returns their number. */
  clear(): Promise<number>;
}

export function createTemporaryFolder(folder: string): TemporaryFolder {
  /**
   * Files whose removal failed, e.g. because the volume was read-only. The work with these files is done, and no caller
   * waits for their removal.
   */
  const leftBehind = new Set<string>();

  async function discard(path: string): Promise<void> {
    leftBehind.add(path);
    await rm(path, { force: true }).then(
      () => leftBehind.delete(path),
      () => {},
    );
  }
  const discardLeft = () => Promise.all([...leftBehind].map(discard));
  const newPath = () => join(folder, temporaryName());

  return {
    newPath,
    discard,
    async make() {
      const path = newPath();
      try {
        await (await open(path, 'wx', 0o600)).close();
      } catch (error) {
        throw toStorageError(error);
      }
      // The volume is writable again, so earlier failed removals are retried.
      if (leftBehind.size > 0) await discardLeft();
      return { path, discard: () => discard(path) };
    },
    async clear() {
      const before = leftBehind.size;
      await discardLeft();
      return before - leftBehind.size + (await clearTemporaryFiles(folder));
    },
  };
}

/**
 * Removes the files of ended processes and returns their number. `remove` can be a function that also removes folders.
 */
export async function clearTemporaryFiles(
  folder: string,
  remove = (path: string) => rm(path, { force: true, recursive: true }),
): Promise<number> {
  let cleared = 0;
  let now: Promise<number> | undefined;
  const folderClock = () => {
    now ??= readClock(folder);
    return now;
  };
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!(await isLeftOver(name, path, folderClock))) continue;
    await remove(path);
    cleared++;
  }
  return cleared;
}

/** Returns the names in a folder, or none if the folder does not exist yet. */
async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
}

/** Returns the file system's time in milliseconds. The clock of this process may be days ahead of the file system's. */
async function readClock(folder: string): Promise<number> {
  try {
    const { path, discard } = await createTemporaryFolder(folder).make();
    return await stat(path)
      .finally(discard)
      .then(({ mtimeMs }) => mtimeMs);
  } catch {
    // Without space for a new file the time is unknown, so no file counts as old.
    return 0;
  }
}

async function isLeftOver(name: string, path: string, folderClock: () => Promise<number>): Promise<boolean> {
  const match = temporaryNamePattern.exec(name);
  if (!match) return false;
  if (match[1] === hostHash) {
    if (match[3] === bootId) return false;
    const pid = Number(match[2]);
    if (pid === process.pid || !isRunning(pid)) return true;
  }
  // The pid belongs to another host, or the system has since given it to another program.
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (await folderClock()) - found.mtimeMs > abandonedAfterMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process runs as another system user.
    return getErrorCode(error) === 'EPERM';
  }
}
