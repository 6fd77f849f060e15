/**
 * A ZIP archive as the source of an import. Each file is unpacked to a temporary file before its import and deleted
 * afterwards.
 */
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { Entry, type ZipFile } from 'yauzl';
import type { Deps } from '../../../../deps.ts';
import { getErrorCode, StorageFull } from '../../../../platform/errors/storage.ts';
import { createChecksumMeter } from '../../../../platform/storage/checksum.ts';
import { maxSidecarBytes } from '../sidecar.ts';
import { checkFileSize, type ImportSource, type ImportSourceFile } from '../source.ts';
import { compareNames, createFoundFolder, type FoundFolder, NotAFile } from '../walk.ts';
import { openZipTree, type ZippedFile, type ZippedFolder } from './tree.ts';

/** Opens a ZIP archive. Throws NotAnArchive, or an error of the file system. */
export async function openZipSource(deps: Deps, path: string): Promise<ImportSource> {
  const { zip, top } = await openZipTree(path);
  return {
    folders: () => foldersIn(top, []),
    async bytes(names) {
      const file = fileAt(top, names);
      return file.uncompressedSize > maxSidecarBytes ? Buffer.alloc(0) : buffer(await openBytes(zip, file));
    },
    async open(names, maxBytes) {
      const file = fileAt(top, names);
      checkFileSize(file.uncompressedSize, maxBytes);
      return unpackFile(deps, zip, file);
    },
    close: () => zip.close(),
  };
}

async function* foldersIn(folder: ZippedFolder, path: string[]): AsyncGenerator<FoundFolder> {
  yield createFoundFolder(path, [...folder.files.keys()].sort(compareNames), folder.links);
  for (const name of [...folder.folders.keys()].sort(compareNames)) {
    yield* foldersIn(folder.folders.get(name)!, [...path, name]);
  }
}

function fileAt(top: ZippedFolder, names: string[]): ZippedFile {
  let folder: ZippedFolder | undefined = top;
  for (const name of names.slice(0, -1)) folder = folder?.folders.get(name);
  const file = folder?.files.get(names.at(-1)!);
  if (!file) throw Object.assign(new Error('The file is not in the archive'), { code: 'ENOENT' });
  return file;
}

async function unpackFile(deps: Deps, zip: ZipFile, packed: ZippedFile): Promise<ImportSourceFile> {
  const file = await deps.storage.temporary();
  try {
    const meter = createChecksumMeter();
    await pipeline(await openBytes(zip, packed), meter.through, createWriteStream(file.path)).catch(
      refuseFull,
    );
    return {
      path: file.path,
      modified: packed.modified,
      unpacked: { file, ...meter.sum() },
      close: () => file.discard(),
    };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** A full disk stops the whole import, not only the current file. */
function refuseFull(error: unknown): never {
  throw /^(ENOSPC|EDQUOT)$/.test(getErrorCode(error) ?? '') ? new StorageFull(error) : error;
}

/**
 * Yields the bytes of a file in the archive. Throws NotAFile if the size or the checksum differs from the archive's
 * list.
 */
async function openBytes(zip: ZipFile, file: ZippedFile): Promise<AsyncIterable<Buffer>> {
  const entry = Object.assign(Object.create(Entry.prototype) as Entry, file);
  if (entry.isEncrypted()) throw new NotAFile('The file is encrypted');
  return verifyBytes(await zip.openReadStreamPromise(entry).catch(refuseArchive), file.crc32);
}

async function* verifyBytes(bytes: Readable, expected: number): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    refuseArchive(error);
  }
  if (sum !== expected) throw new NotAFile('The file cannot be unpacked (its checksum is wrong)');
}

/** Converts an error of unpacking to NotAFile. Errors of the disk are thrown unchanged. */
function refuseArchive(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOfFile = code === undefined || code.startsWith('Z_');
  throw isOfFile ? new NotAFile(`The file cannot be unpacked (${message})`, { cause: error }) : error;
}
