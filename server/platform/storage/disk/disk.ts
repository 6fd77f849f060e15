/**
 * Storage driver for files: `DATA_DIR/files/<first two hex digits>/<name>`, with temporary files in `DATA_DIR/tmp`. The
 * two folders must lie on one volume, so that a file can be moved into place atomically.
 */
import { open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { isMissingFileError, toStorageError } from '../../errors/storage.ts';
import { syncFile, syncFolder, writeDurably } from '../durable.ts';
import { checkObjectName, parseObjectName } from '../keys.ts';
import type { Storage, TemporaryFile } from '../storage.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../temporary.ts';
import { findStorageFolders, openStorageFolders, shardFolderNames } from './folders.ts';

const epochFileName = '.stamp';

/** Bytes read at a time, and buffered for each client that reads slowly. */
const chunkBytes = 64 * 1024;

/**
 * Opens the storage. Throws StorageUnusable when the folder is not writable or not the one used before. With
 * `isReadOnly`, nothing is written, created or cleared.
 */
export async function openDiskStorage(dataDir: string, isReadOnly = false): Promise<Storage> {
  const { id, files, tmp, warnings, ping } = await (isReadOnly ? findStorageFolders : openStorageFolders)(
    dataDir,
  );
  const objectFilePath = (name: string) => join(files, name.slice(0, 2), checkObjectName(name));
  const temporary = createTemporaryFolder(tmp);

  return {
    id,
    marker: 'files/.lightwell in DATA_DIR',
    location: files,
    warnings,
    ping,
    readEpoch: async () => (await unlessMissing(readFile(join(files, epochFileName), 'utf8')))?.trim(),
    writeEpoch: (epoch) => replaceFile(temporary, join(files, epochFileName), epoch),
    temporary: temporary.make,
    put: createPut(objectFilePath, temporary),
    list: () => listObjects(files),
    clearTemporary: temporary.clear,

    async open(name, range) {
      if (range && range.end <= range.start) return Readable.from([]);
      const handle = await unlessMissing(open(objectFilePath(name), 'r'));
      // The stream owns the file handle and closes it at the end, on errors, and when the stream is destroyed.
      const inclusive = range && { start: range.start, end: range.end - 1 };
      return handle?.createReadStream({ ...inclusive, highWaterMark: chunkBytes });
    },
    read: (name) => unlessMissing(readFile(objectFilePath(name))),
    async openLocalFile(name) {
      const path = objectFilePath(name);
      return (await unlessMissing(stat(path))) && { path, release: async () => {} };
    },
    async stat(name) {
      const found = await unlessMissing(stat(objectFilePath(name)));
      // The inode's change time shows since when the object is in its place, or when it was restored. The modification
      // time would show when its bytes were written.
      return found && { name, size: found.size, modified: Math.floor(found.ctimeMs / 1000) };
    },
    async remove(name) {
      await unlessMissing(unlink(objectFilePath(name)));
    },
  };
}

/** Replaces a small file atomically: after a crash it holds either the old or the new text. */
async function replaceFile(temporary: TemporaryFolder, path: string, text: string): Promise<void> {
  const begun = temporary.newPath();
  try {
    await writeDurably(begun, Buffer.from(`${text}\n`));
    await rename(begun, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await temporary.discard(begun);
    throw toStorageError(error);
  }
}

async function unlessMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissingFileError(error)) return undefined;
    throw toStorageError(error);
  }
}

const batchSize = 1000;

/** Lists one folder at a time, so that a million names never fill the memory. */
async function* listObjects(files: string): AsyncGenerator<string[]> {
  for (const shard of shardFolderNames) {
    // The names are sorted, so that the objects of one key come together.
    const all = (await readdir(join(files, shard))).sort();
    const names = all.filter((name) => name.startsWith(shard) && parseObjectName(name) !== undefined);
    for (let start = 0; start < names.length; start += batchSize) yield names.slice(start, start + batchSize);
  }
}

/**
 * Returns the `put` function: it makes bytes, then names, then folders durable. Either all objects are stored or none.
 */
function createPut(objectFilePath: (name: string) => string, temporary: TemporaryFolder): Storage['put'] {
  return async (objects) => {
    const moves = objects.map(({ name, source }) => ({
      source,
      from: Buffer.isBuffer(source) ? temporary.newPath() : source.path,
      to: objectFilePath(name),
    }));
    const moved: string[] = [];
    const move = async ({ from, to }: { from: string; to: string }) => {
      await rename(from, to);
      moved.push(to);
    };
    try {
      await all(moves.map(({ source, from }) => stageFile(source, from)));
      await all(moves.map(move));
      // Only the target folders are synced. A crash may bring a temporary name back, and a later start clears it.
      await all([...new Set(moves.map(({ to }) => dirname(to)))].map(syncFolder));
    } catch (error) {
      // An object that existed before and was being stored again stays, unless it was replaced already.
      await Promise.all(moves.map(({ from }) => temporary.discard(from)));
      await Promise.allSettled(moved.map((path) => rm(path, { force: true })));
      throw toStorageError(error);
    }
  };
}

function stageFile(source: Buffer | TemporaryFile, path: string): Promise<void> {
  return Buffer.isBuffer(source) ? writeDurably(path, source) : syncFile(path);
}

/** Waits for all promises before it throws, unlike Promise.all, so that the cleanup cannot race with a running one. */
async function all(work: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
