/** Reads the list of files in a ZIP archive on the disk, and arranges the files in folders. */
import { type FileHandle, open } from 'node:fs/promises';
import { openZip, type ZipArchive } from '../../../../platform/zip/reader/archive.ts';
import type { ZipEntry } from '../../../../platform/zip/reader/directory.ts';
import { BadZip, type ZipSource } from '../../../../platform/zip/reader/source.ts';
import { NotAnArchive } from '../source.ts';
import { ignoredNames } from '../walk.ts';

export interface ZippedFolder {
  files: Map<string, ZipEntry>;
  folders: Map<string, ZippedFolder>;
  links: number;
}

export interface ZipTree {
  zip: ZipArchive;
  top: ZippedFolder;
  close(): Promise<void>;
}

/** Opens a ZIP archive and reads its list of files. Throws NotAnArchive, or an error of the file system. */
export async function openZipTree(path: string): Promise<ZipTree> {
  const handle = await open(path);
  try {
    const zip = await openZip(await createFileSource(handle), refuseNames);
    return { zip, top: arrangeFolders(zip.entries), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error instanceof BadZip ? new NotAnArchive(error.message, { cause: error }) : error;
  }
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

function refuseNames(): never {
  throw new BadZip('The ZIP has a name that is not UTF-8');
}

function arrangeFolders(entries: ZipEntry[]): ZippedFolder {
  const top = createFolder();
  for (const entry of entries) {
    const names = entry.path.split('/');
    if (names.some((name) => ignoredNames.test(name))) continue;
    const name = entry.kind === 'folder' ? '' : names.pop()!;
    const folder = findOrCreateFolder(top, names);
    if (entry.kind === 'link') folder.links++;
    if (entry.kind === 'file') folder.files.set(name, entry);
  }
  return top;
}

const createFolder = (): ZippedFolder => ({ files: new Map(), folders: new Map(), links: 0 });

function findOrCreateFolder(top: ZippedFolder, names: string[]): ZippedFolder {
  let folder = top;
  for (const name of names) {
    let inner = folder.folders.get(name);
    if (!inner) {
      inner = createFolder();
      folder.folders.set(name, inner);
    }
    folder = inner;
  }
  return folder;
}
