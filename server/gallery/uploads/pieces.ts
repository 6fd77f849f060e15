/** Bytes on their way into the storage: collected in temporary files of a few megabytes, which become objects. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Deps } from '../../deps.ts';
import { toStorageError } from '../../platform/errors/storage.ts';
import { newKey, objectName } from '../../platform/storage/keys.ts';
import type { TemporaryFile } from '../../platform/storage/storage.ts';
import type { Piece } from './store.ts';

/** What a killed server loses of an upload at most, and about what an object of it costs a store. */
const pieceBytes = 4 * 1024 * 1024;

/** A part of the bytes that is on this machine alone. */
export interface Collected {
  file: TemporaryFile;
  size: number;
}

export type Collector = ReturnType<typeof createCollector>;

export function createCollector({ storage }: Pick<Deps, 'storage'>) {
  const files: Collected[] = [];
  let handle: FileHandle | undefined;

  async function begin(): Promise<Collected> {
    const last = files.at(-1);
    if (last && handle) return last;
    const file = await storage.temporary();
    files.push({ file, size: 0 });
    handle = await open(file.path, 'r+');
    return files.at(-1)!;
  }

  async function close(): Promise<void> {
    const before = handle;
    handle = undefined;
    await before?.close();
  }

  return {
    /** Those that were written so far; the last is still written to unless it is full. */
    files,
    close,
    /** Throws noSpace or busy where the disk does not take them. */
    async write(bytes: Buffer): Promise<void> {
      try {
        for (let rest = bytes; rest.length > 0; ) {
          const piece = await begin();
          const part = rest.subarray(0, pieceBytes - piece.size);
          await handle!.writeFile(part);
          piece.size += part.length;
          rest = rest.subarray(part.length);
          if (piece.size === pieceBytes) await close();
        }
      } catch (error) {
        throw toStorageError(error);
      }
    },
    /** Removes what has not become an object. */
    async discard(): Promise<void> {
      await close();
      await Promise.all(files.splice(0).map(({ file }) => file.discard()));
    },
  };
}

/** Makes objects of so many files of the collector, durably. */
export async function storePieces(
  { storage }: Pick<Deps, 'storage'>,
  { files, close }: Collector,
  count = files.length,
): Promise<Piece[]> {
  if (count === files.length) await close();
  const taken = files.splice(0, count);
  const pieces = taken.map(({ size }) => ({ object: objectName(newKey(), 'piece', 'bin'), size }));
  // Moved, or gone where it fails.
  await storage.put(taken.map(({ file }, index) => ({ name: pieces[index]!.object, source: file })));
  return pieces;
}
