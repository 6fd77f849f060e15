/**
 * Bytes and names that outlive a power cut. A failed fsync is never tried again: the kernel may have dropped
 * the dirty pages, and the second call would lie. Errors of close count as much as those of write.
 */
import { type FileHandle, open } from 'node:fs/promises';

/** Makes a new file with these bytes, on the disk when it resolves. */
export function writeDurably(path: string, bytes: Buffer): Promise<void> {
  return using(path, 'wx', async (handle) => {
    await handle.writeFile(bytes);
    await handle.sync();
  });
}

/** Makes durable what others wrote into the file. */
export function syncFile(path: string): Promise<void> {
  return using(path, 'r+', (handle) => handle.sync());
}

/** Makes durable which names the folder holds. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS keeps its own journal of names.
  if (process.platform === 'win32') return;
  await using(path, 'r', (handle) => handle.sync());
}

async function using(
  path: string,
  flags: string,
  work: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(path, flags, 0o600);
  try {
    await work(handle);
  } catch (error) {
    await handle.close().catch(() => {});
    throw error;
  }
  await handle.close();
}
