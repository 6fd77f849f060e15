/** The folder of a worker: what is put there for a job, and what is taken out. The server believes nothing in it. */
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
import { codeOf } from '../../errors/storage.ts';
import { inputName } from '../jobs.ts';
import { WorkerEnded } from './ended.ts';

/** Not followed where it is a link, and not waited for where it is a pipe. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `owner`: the user id of the worker, where it is another than the server's. */
export function makeFolder(path: string, owner: number | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (owner !== undefined) chownSync(path, owner, owner);
}

/**
 * A copy: whatever a worker does to it, nothing of the server's is changed. The copy is made beside the folder and moved
 * into it, because a worker that was taken over may put a link or a pipe in its place before. Throws WorkerEnded where
 * the worker keeps it from being moved there.
 */
export async function putInput(
  folder: string,
  input: string | Buffer,
  owner: number | undefined,
): Promise<void> {
  // A name as its folder has: what is left of it goes at the next start.
  const draft = `${folder}0`;
  try {
    if (typeof input === 'string') await copyFile(input, draft, constants.COPYFILE_FICLONE);
    else await writeFile(draft, input, { mode: 0o600 });
    if (owner !== undefined) await chown(draft, owner, owner);
    await rename(draft, join(folder, inputName)).catch((error: unknown) => {
      throw new WorkerEnded('crash', `its input cannot be put there: ${error}`);
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Reads a file that a job wrote. Throws WorkerEnded when it is no plain file, or longer than `maxBytes`. */
export async function readOutput(folder: string, name: string, maxBytes: number): Promise<Buffer> {
  return await withOutput(folder, name, maxBytes, async (file, size) => {
    // No more than that, also where the worker goes on writing.
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, 0);
    if (bytesRead < size) throw new WorkerEnded('crash', `${name} became shorter while it was read`);
    return buffer;
  });
}

export async function withOutput<Result>(
  folder: string,
  name: string,
  maxBytes: number,
  use: (file: FileHandle, size: number) => Promise<Result>,
): Promise<Result> {
  const file = await open(join(folder, name), openFlags).catch((error: unknown) => {
    throw new WorkerEnded('crash', `it left no ${name}: ${error}`);
  });
  try {
    const found = await file.stat();
    const isPlain = found.isFile() && found.nlink === 1 && found.size > 0 && found.size <= maxBytes;
    if (!isPlain) throw new WorkerEnded('crash', `${name} is no file of at most ${maxBytes} bytes`);
    return await use(file, found.size);
  } finally {
    await file.close();
  }
}

/** A job writes three files, and an edit two more for its steps. */
const maxEntries = 16;

/**
 * Bytes of all that lies there now. Infinity where there is what no worker makes: folders, links, pipes, or more files
 * than a job writes. Where the worker has shut its own folder, too.
 */
export async function bytesIn(folder: string): Promise<number> {
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
  } catch {
    return Infinity;
  }
  return bytes;
}

/** Throws where there is more than the files of a job. */
export async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length > maxEntries) throw new WorkerEnded('crash', `it left ${names.length} files`);
  await Promise.all(names.map((name) => unlink(join(folder, name))));
}

/**
 * Removes a folder and whatever is in it. Anything but plain files is left to `rm`: it goes into folders that are nested
 * deeper than a path is long, and is not led elsewhere where one becomes a link meanwhile. What cannot be removed stays.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await emptyFolder(path);
    await rmdir(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') await removeTree(path).catch(() => {});
  }
}

async function removeTree(path: string): Promise<void> {
  if (process.platform === 'win32') return await rm(path, { recursive: true, force: true });
  // Who is not root opens what is shut before.
  const open = process.getuid?.() === 0 ? '' : 'chmod -R u+rwX -- "$1"; ';
  await promisify(execFile)('/bin/sh', ['-c', `${open}exec rm -rf -- "$1"`, 'sh', path]);
}
