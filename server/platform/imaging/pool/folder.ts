/**
 * A worker's folder: the server puts a job's input there and reads the output. The server trusts none of the folder's
 * content.
 */
import { execFile } from 'node:child_process';
import { chownSync, constants, mkdirSync } from 'node:fs';
import {
  chown,
  copyFile,
  type FileHandle,
  lstat,
  open,
  opendir,
  readdir,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getErrorCode, isSystemError } from '../../errors/storage.ts';
import { jobInputFileName } from '../jobs.ts';
import { WorkerEnded } from './worker-ended.ts';

/** Flags for opening a worker's file without following a link and without waiting for a pipe. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Creates a worker's folder. `owner` is the worker's user id if it differs from the server's. */
export function createWorkerFolder(path: string, owner: number | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (owner !== undefined) chownSync(path, owner, owner);
}

/**
 * Copies the input into the folder, so that the worker cannot change the server's own file. The copy is made beside the
 * folder and then moved, because a compromised worker could have put a link or a pipe in its place. Throws WorkerEnded
 * if the worker prevents the move.
 */
export async function copyInputIntoFolder(
  folder: string,
  input: string | Buffer,
  owner: number | undefined,
): Promise<void> {
  // The name has the format of the folder's name, so that a leftover copy is removed at the next start.
  const draft = `${folder}0`;
  try {
    if (typeof input === 'string') await copyFile(input, draft, constants.COPYFILE_FICLONE);
    else await writeFile(draft, input, { mode: 0o600 });
    if (owner !== undefined) await chown(draft, owner, owner);
    await rename(draft, join(folder, jobInputFileName)).catch(blameWorker('cannot create its input file'));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns a handler that blames the worker for an error, except for a failing disk or a lack of descriptors. */
function blameWorker(detail: string): (error: unknown) => never {
  return (error) => {
    throw isSystemError(error) ? error : new WorkerEnded('crash', `${detail}: ${error}`);
  };
}

/** Reads a file that a job wrote. Throws WorkerEnded if the file is not a plain file or longer than `maxBytes`. */
export async function readOutputFile(folder: string, name: string, maxBytes: number): Promise<Buffer> {
  return await withOutputFile(folder, name, maxBytes, async (file, size) => {
    // Reads at most the size found before, even if the worker continues writing.
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, 0);
    if (bytesRead < size) throw new WorkerEnded('crash', `${name} became shorter while it was read`);
    return buffer;
  });
}

export async function withOutputFile<Result>(
  folder: string,
  name: string,
  maxBytes: number,
  use: (file: FileHandle, size: number) => Promise<Result>,
): Promise<Result> {
  const file = await open(join(folder, name), openFlags).catch(
    blameWorker(`${name} is missing in the result`),
  );
  try {
    const found = await file.stat();
    const isPlain = found.isFile() && found.nlink === 1 && found.size > 0 && found.size <= maxBytes;
    if (!isPlain) throw new WorkerEnded('crash', `${name} is not a file of at most ${maxBytes} bytes`);
    return await use(file, found.size);
  } finally {
    await file.close();
  }
}

/** Maximum files in a worker's folder. A job writes three files, and an edit two more for its steps. */
const maxEntries = 16;

/**
 * Returns the bytes of all files in the folder. Returns Infinity for folders, links, pipes, too many files, or if the
 * worker has made its folder unreadable. No normal worker does any of this. If the disk fails or no descriptors are
 * left, returns what was counted so far, because the worker is not the cause.
 */
export async function countFolderBytes(folder: string): Promise<number> {
  let bytes = 0;
  let entries = 0;
  try {
    for await (const entry of await opendir(folder)) {
      if (!entry.isFile() || ++entries > maxEntries) return Infinity;
      bytes += await lstat(join(folder, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
    }
  } catch (error) {
    return isSystemError(error) ? bytes : Infinity;
  }
  return bytes;
}

/** Deletes all files in the folder. Throws WorkerEnded if the folder holds more files than a job writes. */
export async function emptyWorkerFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length > maxEntries)
    throw new WorkerEnded('crash', `the result has ${names.length} unexpected files`);
  await Promise.all(names.map((name) => unlink(join(folder, name))));
}

/**
 * Removes a folder with its content. A folder with more than plain files is removed by `rm`. `rm` handles paths longer
 * than the system's limit, and does not follow a folder that is replaced by a link meanwhile. Errors are ignored.
 */
export async function removeWorkerFolder(path: string): Promise<void> {
  try {
    await emptyWorkerFolder(path);
    await rmdir(path);
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') await removeTree(path).catch(() => {});
  }
}

async function removeTree(path: string): Promise<void> {
  if (process.platform === 'win32') return await rm(path, { recursive: true, force: true });
  // A user other than root must first make closed folders accessible.
  const open = process.getuid?.() === 0 ? '' : 'chmod -R u+rwX -- "$1"; ';
  await promisify(execFile)('/bin/sh', ['-c', `${open}exec rm -rf -- "$1"`, 'sh', path]);
}
