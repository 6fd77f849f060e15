/**
 * Objects as files: `DATA_DIR/files/<first two hex digits>/<name>`, temporary files in `DATA_DIR/tmp`.
 * Both must lie on one volume, so that a file is moved into its place and never half there.
 */
import { open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { isMissing, toStorageError } from '../../errors/storage.ts';
import { syncFile, syncFolder, writeDurably } from '../durable.ts';
import { checkedName, parseObjectName } from '../keys.ts';
import type { Storage, TemporaryFile } from '../storage.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../temporary.ts';
import { findFolders, openFolders, shards } from './folders.ts';

const stampName = '.stamp';

/** Bytes read at a time, and held for each client that reads slowly. */
const chunkBytes = 64 * 1024;

/**
 * Throws StorageUnusable when the folder is not writable or is not the one that was used before. `isReadOnly`: nothing
 * is written or made, not even a temporary file is cleared.
 */
export async function openDiskStorage(dataDir: string, isReadOnly = false): Promise<Storage> {
  const { id, files, tmp, ping } = await (isReadOnly ? findFolders : openFolders)(dataDir);
  const pathOf = (name: string) => join(files, name.slice(0, 2), checkedName(name));
  const temporary = createTemporaryFolder(tmp);

  return {
    id,
    marker: 'files/.lightwell in DATA_DIR',
    place: files,
    ping,
    readStamp: async () => (await unlessMissing(readFile(join(files, stampName), 'utf8')))?.trim(),
    writeStamp: (stamp) => replaceFile(temporary, join(files, stampName), stamp),
    temporary: temporary.make,
    put: createPut(pathOf, temporary),
    list: () => listObjects(files),
    clearTemporary: temporary.clear,

    async open(name, range) {
      if (range && range.end <= range.start) return Readable.from([]);
      const handle = await unlessMissing(open(pathOf(name), 'r'));
      // The stream owns the descriptor: it is closed at the end, on errors, and when the stream is destroyed.
      const inclusive = range && { start: range.start, end: range.end - 1 };
      return handle?.createReadStream({ ...inclusive, highWaterMark: chunkBytes });
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
    if (isMissing(error)) return undefined;
    throw toStorageError(error);
  }
}

const batchSize = 1000;

/** One folder at a time: a million photos never lie in memory. */
async function* listObjects(files: string): AsyncGenerator<string[]> {
  for (const shard of shards) {
    // Sorted, so that the objects of one key come together.
    const all = (await readdir(join(files, shard))).sort();
    const names = all.filter((name) => name.startsWith(shard) && parseObjectName(name) !== undefined);
    for (let start = 0; start < names.length; start += batchSize) yield names.slice(start, start + batchSize);
  }
}

/** Durably: bytes, then names, then folders; all of them, or none. */
function createPut(pathOf: (name: string) => string, temporary: TemporaryFolder): Storage['put'] {
  return async (objects) => {
    const moves = objects.map(({ name, source }) => ({
      source,
      from: Buffer.isBuffer(source) ? temporary.newPath() : source.path,
      to: pathOf(name),
    }));
    const moved: string[] = [];
    const move = async ({ from, to }: { from: string; to: string }) => {
      await rename(from, to);
      moved.push(to);
    };
    try {
      await all(moves.map(({ source, from }) => stage(source, from)));
      await all(moves.map(move));
      // Which also makes the vanished temporary names harmless: at worst a crash brings one back, to be cleared.
      await all([...new Set(moves.map(({ to }) => dirname(to)))].map(syncFolder));
    } catch (error) {
      // An object that was there before, and was to be made again, stays unless it was replaced.
      await Promise.all(moves.map(({ from }) => temporary.discard(from)));
      await Promise.allSettled(moved.map((path) => rm(path, { force: true })));
      throw toStorageError(error);
    }
  };
}

function stage(source: Buffer | TemporaryFile, path: string): Promise<void> {
  return Buffer.isBuffer(source) ? writeDurably(path, source) : syncFile(path);
}

/** Unlike Promise.all it waits for every one before it throws, so that cleaning up races with none of them. */
async function all(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
