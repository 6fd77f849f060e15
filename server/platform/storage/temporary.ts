/**
 * Names of temporary files, `<host>-<pid>-<boot>-<random>`: they tell whether the process that made a file still
 * runs, so that one process (the command line, a second server) does not clear away what another is writing. What has
 * another name is not ours: `DATA_DIR/tmp` may be a folder that others use, too.
 */
import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { codeOf, toStorageError } from '../errors/storage.ts';
import type { TemporaryFile } from './storage.ts';

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** Tells this process from an earlier one that had the same pid (pid 1 of a container). */
const boot = randomBytes(4).toString('hex');
const pattern = /^([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]+$/;

/** Whether a process on another host still runs cannot be told: its file is left over after so long untouched. */
const abandonedAfterMs = 3_600_000;

export function temporaryName(): string {
  return `${host}-${process.pid}-${boot}-${randomBytes(8).toString('hex')}`;
}

export interface TemporaryFolder {
  /** For a file of this process that somebody else makes. */
  newPath(): string;
  /** An empty file of this process. */
  make(): Promise<TemporaryFile>;
  /** Removes a file of this process, or, where that is refused now, later. */
  discard(path: string): Promise<void>;
  /** Removes the files of processes that are gone, and what could not be removed before; returns how many. */
  clear(): Promise<number>;
}

export function createTemporaryFolder(folder: string): TemporaryFolder {
  /** The volume was read-only, say: whatever was to be done with them is done, and nobody waits for this. */
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
      // There is room again: for what was left behind, too.
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

/** Removes the files of processes that are gone; returns how many. `remove`: also folders, where there are some. */
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

/** None where there is no such folder yet. */
async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
}

/** Milliseconds as the file system tells the time: the clock of this process may be days ahead of it. */
async function readClock(folder: string): Promise<number> {
  try {
    const { path, discard } = await createTemporaryFolder(folder).make();
    return await stat(path)
      .finally(discard)
      .then(({ mtimeMs }) => mtimeMs);
  } catch {
    // No room for one: then no file is old.
    return 0;
  }
}

async function isLeftOver(name: string, path: string, folderClock: () => Promise<number>): Promise<boolean> {
  const match = pattern.exec(name);
  if (!match) return false;
  if (match[1] === host) {
    if (match[3] === boot) return false;
    const pid = Number(match[2]);
    if (pid === process.pid || !isRunning(pid)) return true;
  }
  // A stranger's pid, or one that was given to another program since.
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (await folderClock()) - found.mtimeMs > abandonedAfterMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs under another system user.
    return codeOf(error) === 'EPERM';
  }
}
