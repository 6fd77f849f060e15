/** Collects the bytes of an upload in temporary files of a few megabytes, and stores the files as objects. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Deps } from '../../deps.ts';
import { toStorageError } from '../../platform/errors/storage.ts';
import { createObjectKey, objectName } from '../../platform/storage/keys.ts';
import type { TemporaryFile } from '../../platform/storage/storage.ts';
import type { UploadPiece } from './store.ts';

/** Maximum bytes of an upload's piece. A server that is killed loses at most one piece of each upload. */
const pieceBytes = 4 * 1024 * 1024;

/** A temporary file with bytes of an upload that are not in the storage yet. */
export interface CollectedFile {
  file: TemporaryFile;
  size: number;
}

export type PieceCollector = ReturnType<typeof createPieceCollector>;

export function createPieceCollector({ storage }: Pick<Deps, 'storage'>) {
  const files: CollectedFile[] = [];
  let handle: FileHandle | undefined;

  async function begin(): Promise<CollectedFile> {
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
    /** The files written so far. Further bytes go to the last file until it is full. */
    files,
    close,
    /** Writes bytes to the temporary files. Throws noSpace or busy if the disk refuses the bytes. */
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
    /** Deletes the temporary files that have not become objects. */
    async discard(): Promise<void> {
      await close();
      await Promise.all(files.splice(0).map(({ file }) => file.discard()));
    },
  };
}

/** Stores the first `count` files of the collector durably as objects, and returns the objects as pieces. */
export async function storePieces(
  { storage }: Pick<Deps, 'storage'>,
  { files, close }: PieceCollector,
  count = files.length,
): Promise<UploadPiece[]> {
  if (count === files.length) await close();
  const taken = files.splice(0, count);
  const pieces = taken.map(({ size }) => ({ object: objectName(createObjectKey(), 'piece', 'bin'), size }));
  // The storage turns the temporary files into objects, or deletes them after a failure.
  await storage.put(taken.map(({ file }, index) => ({ name: pieces[index]!.object, source: file })));
  return pieces;
}
