/**
 * A ZIP archive as the source of an import. Each file is unpacked to a temporary file before its import and deleted
 * afterwards.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Deps } from '../../../../deps.ts';
import { openZip, type ZipArchive } from '../../../../platform/zip/reader/archive.ts';
import type { ZipEntry } from '../../../../platform/zip/reader/directory.ts';
import { BadZip, BadZipEntry, type ZipSource } from '../../../../platform/zip/reader/source.ts';
import { decodeNames } from '../../plan/decode-names.ts';
import { maxSidecarBytes } from '../../plan/source-file.ts';
import { NotAFile } from '../open-file.ts';
import { checkFileSize, type ImportSource, type ListedFile, NotAnArchive } from '../source.ts';
import { unpackFile } from '../unpack.ts';

/** Opens a ZIP archive. Throws NotAnArchive, or an error of the file system. */
export async function openZipSource(deps: Deps, path: string): Promise<ImportSource> {
  const handle = await open(path);
  try {
    return createZipSource(deps, handle, await openZip(await createFileSource(handle), decodeNames));
  } catch (error) {
    await handle.close();
    throw error instanceof BadZip ? new NotAnArchive(error.message, { cause: error }) : error;
  }
}

function createZipSource(deps: Deps, handle: FileHandle, zip: ZipArchive): ImportSource {
  const entries = new Map(zip.entries.map((entry) => [entry.path, entry]));
  const find = (path: string) => {
    const entry = entries.get(path);
    if (entry?.kind === 'file') return entry;
    throw Object.assign(new Error('The file is not in the archive'), { code: 'ENOENT' });
  };
  return {
    files: zip.entries.flatMap(listEntry),
    async read(path) {
      const entry = find(path);
      return entry.size > maxSidecarBytes ? Buffer.alloc(0) : buffer(openBytes(zip, entry));
    },
    async open(path, maxBytes) {
      const entry = find(path);
      checkFileSize(entry.size, maxBytes);
      return { modified: entry.modified, ...(await unpackFile(deps, openBytes(zip, entry))) };
    },
    close: () => handle.close(),
  };
}

function listEntry({ path, kind, size, modified }: ZipEntry): ListedFile[] {
  if (kind === 'folder') return [];
  if (kind === 'file') return [{ path, bytes: size, modified }];
  const reason = kind === 'link' ? 'A link, which is not followed' : 'Not a regular file';
  return [{ path, bytes: 0, modified, obstacle: { outcome: 'ignored', reason } }];
}

async function createFileSource(handle: FileHandle): Promise<ZipSource> {
  const { size } = await handle.stat();
  return {
    size,
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      for (let read = 0; read < length; ) {
        const { bytesRead } = await handle.read(bytes, read, length - read, offset + read);
        if (bytesRead === 0) throw new BadZip('The ZIP has become shorter');
        read += bytesRead;
      }
      return bytes;
    },
  };
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
