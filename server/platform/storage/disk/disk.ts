/**
 * Objects as files: `DATA_DIR/files/<first two hex digits>/<name>`, temporary files in `DATA_DIR/tmp`.
 * Both must lie on one volume, so that a file is moved into its place and never half there.
 */
import { open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { isMissing, toStorageError } from '../../errors/storage.ts';
import { syncFolder, writeDurably } from '../durable.ts';
import { checkedName } from '../keys.ts';
import type { ByteRange, Storage } from '../storage.ts';
import { clearTemporaryFiles, createTemporaryFile, temporaryName } from '../temporary.ts';
import { type DiskFolders, findFolders, openFolders } from './folders.ts';
import { listObjects } from './list.ts';
import { createPut } from './put.ts';

const stampName = '.stamp';

/** Bytes read at a time, and held for each client that reads slowly. */
const chunkBytes = 64 * 1024;

/** Throws StorageUnusable when the folder is not writable or is not the one that was used before. */
export async function openDiskStorage(dataDir: string): Promise<Storage> {
  return diskStorage(await openFolders(dataDir));
}

/** The same, but nothing is written or made, not even a temporary file is cleared: for commands that only read. */
export async function openDiskStorageToRead(dataDir: string): Promise<Storage> {
  return diskStorage(await findFolders(dataDir));
}

function diskStorage({ id, files, tmp, ping }: DiskFolders): Storage {
  const pathOf = (name: string) => join(files, name.slice(0, 2), checkedName(name));
  const newTemporary = () => join(tmp, temporaryName());

  return {
    id,
    marker: 'files/.lightwell in DATA_DIR',
    place: files,
    ping,
    readStamp: async () => (await unlessMissing(readFile(join(files, stampName), 'utf8')))?.trim(),
    writeStamp: (stamp) => replaceFile(newTemporary(), join(files, stampName), stamp),
    temporary: () => createTemporaryFile(tmp),
    put: createPut(pathOf, newTemporary),
    list: () => listObjects(files),
    clearTemporary: () => clearTemporaryFiles(tmp),

    async open(name, range) {
      if (range && range.end <= range.start) return Readable.from([]);
      const handle = await unlessMissing(open(pathOf(name), 'r'));
      // The stream owns the descriptor: it is closed at the end, on errors, and when the stream is destroyed.
      return handle?.createReadStream({ ...inclusive(range), highWaterMark: chunkBytes });
    },
    read: (name) => unlessMissing(readFile(pathOf(name))),
    async local(name) {
      const path = pathOf(name);
      return (await unlessMissing(stat(path))) && { path, release: async () => {} };
    },
    async stat(name) {
      const found = await unlessMissing(stat(pathOf(name)));
      // The inode's change, not the bytes': it tells since when the object is in its place (or was restored).
      return found && { name, size: found.size, modified: Math.floor(found.ctimeMs / 1000) };
    },
    async remove(name) {
      await unlessMissing(unlink(pathOf(name)));
    },
  };
}

/** The old text or the new one, whatever happens meanwhile. */
async function replaceFile(temporary: string, path: string, text: string): Promise<void> {
  try {
    await writeDurably(temporary, Buffer.from(`${text}\n`));
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw toStorageError(error);
  }
}

function inclusive(range: ByteRange | undefined) {
  return range && { start: range.start, end: range.end - 1 };
}

async function unlessMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toStorageError(error);
  }
}
