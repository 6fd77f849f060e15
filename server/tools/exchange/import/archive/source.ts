/**
 * A ZIP archive as the source of an import. Each file is unpacked to a temporary file before its import and deleted
 * afterwards.
 */
import { createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../../../deps.ts';
import { getErrorCode, StorageFull } from '../../../../platform/errors/storage.ts';
import { createChecksumMeter } from '../../../../platform/storage/checksum.ts';
import type { ZipArchive } from '../../../../platform/zip/reader/archive.ts';
import type { ZipEntry } from '../../../../platform/zip/reader/directory.ts';
import { BadZip, BadZipEntry } from '../../../../platform/zip/reader/source.ts';
import { maxSidecarBytes } from '../sidecar.ts';
import { checkFileSize, type ImportSource, type ImportSourceFile } from '../source.ts';
import { compareNames, createFoundFolder, type FoundFolder, NotAFile } from '../walk.ts';
import { openZipTree, type ZippedFolder } from './tree.ts';

/** Opens a ZIP archive. Throws NotAnArchive, or an error of the file system. */
export async function openZipSource(deps: Deps, path: string): Promise<ImportSource> {
  const { zip, top, close } = await openZipTree(path);
  return {
    folders: () => foldersIn(top, []),
    async bytes(names) {
      const file = fileAt(top, names);
      return file.size > maxSidecarBytes ? Buffer.alloc(0) : buffer(openBytes(zip, file));
    },
    async open(names, maxBytes) {
      const file = fileAt(top, names);
      checkFileSize(file.size, maxBytes);
      return unpackFile(deps, zip, file);
    },
    close: () => void close(),
  };
}

async function* foldersIn(folder: ZippedFolder, path: string[]): AsyncGenerator<FoundFolder> {
  yield createFoundFolder(path, [...folder.files.keys()].sort(compareNames), folder.links);
  for (const name of [...folder.folders.keys()].sort(compareNames)) {
    yield* foldersIn(folder.folders.get(name)!, [...path, name]);
  }
}

function fileAt(top: ZippedFolder, names: string[]): ZipEntry {
  let folder: ZippedFolder | undefined = top;
  for (const name of names.slice(0, -1)) folder = folder?.folders.get(name);
  const file = folder?.files.get(names.at(-1)!);
  if (!file) throw Object.assign(new Error('The file is not in the archive'), { code: 'ENOENT' });
  return file;
}

async function unpackFile(deps: Deps, zip: ZipArchive, packed: ZipEntry): Promise<ImportSourceFile> {
  const file = await deps.storage.temporary();
  try {
    const meter = createChecksumMeter();
    await pipeline(openBytes(zip, packed), meter.through, createWriteStream(file.path)).catch(refuseFull);
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

/** Unpacks a file of the archive. Throws NotAFile if the bytes are not those that the archive's list promises. */
async function* openBytes(zip: ZipArchive, file: ZipEntry): AsyncGenerator<Uint8Array> {
  try {
    yield* zip.open(file);
  } catch (error) {
    throw error instanceof BadZipEntry || error instanceof BadZip
      ? new NotAFile(error.message, { cause: error })
      : error;
  }
}
