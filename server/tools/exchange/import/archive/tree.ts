/**
 * Reads the list of files in a ZIP archive. The archive is not trusted. Its names never become paths on the disk, and
 * signs of an attack make the import fail.
 */
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { NotAnArchive } from '../source.ts';
import { ignoredNames } from '../walk.ts';

/**
 * The fields of an entry that reading its file needs. Other fields are dropped, because a million entries may be in
 * memory.
 */
export type ZippedFile = Pick<
  Entry,
  | 'compressedSize'
  | 'uncompressedSize'
  | 'compressionMethod'
  | 'generalPurposeBitFlag'
  | 'relativeOffsetOfLocalHeader'
  | 'crc32'
> & {
  /** Modification time of the file in Unix seconds. */
  modified: number;
};

export interface ZippedFolder {
  files: Map<string, ZippedFile>;
  folders: Map<string, ZippedFolder>;
  links: number;
}

/** Maximum number of entries. An export has two entries for each photo. */
const maxEntries = 1_000_000;
const maxNameBytes = 256 * 1024 * 1024;
/** Maximum depth of folders. Albums in an export are nested at most eight levels deep. */
const maxDepth = 64;

/**
 * Opens a ZIP archive and reads its list of files. The caller closes the ZipFile. Throws NotAnArchive, or an error of
 * the file system.
 */
export async function openZipTree(path: string): Promise<{ zip: ZipFile; top: ZippedFolder }> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch(refuseArchiveEntry);
  try {
    return { zip, top: await readTree(zip) };
  } catch (error) {
    zip.close();
    return refuseArchiveEntry(error);
  }
}

function refuseArchiveEntry(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined || error instanceof NotAnArchive) throw error;
  throw new NotAnArchive(`The path is neither a folder nor a complete ZIP (${message})`, { cause: error });
}

async function readTree(zip: ZipFile): Promise<ZippedFolder> {
  if (zip.entryCount > maxEntries) {
    throw new NotAnArchive(`The ZIP has ${zip.entryCount} entries, but at most ${maxEntries} are allowed`);
  }
  const top = emptyFolder();
  const files: ZippedFile[] = [];
  let nameBytes = 0;
  for await (const entry of zip.eachEntry()) {
    nameBytes += entry.fileNameLength;
    if (nameBytes > maxNameBytes) throw new NotAnArchive('The names in the ZIP are too long');
    const file = addEntry(top, entry);
    if (file) files.push(file);
  }
  refuseOverlaps(files);
  return top;
}

const emptyFolder = (): ZippedFolder => ({ files: new Map(), folders: new Map(), links: 0 });

/** Adds an entry to the tree. The library has already refused absolute names and names with `..` or a backslash. */
function addEntry(top: ZippedFolder, entry: Entry): ZippedFile | undefined {
  if (hasBrokenName(entry)) throw new NotAnArchive('The ZIP has a name that is not UTF-8');
  const names = entry.fileName.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length > maxDepth)
    throw new NotAnArchive(`The folders in the ZIP are nested deeper than ${maxDepth}`);
  if (names.length === 0 || names.some((name) => ignoredNames.test(name))) return undefined;
  const kind = entryType(entry);
  const name = kind === 'folder' ? '' : names.pop()!;
  const folder = folderAt(top, names);
  if (kind === 'link') folder.links++;
  if (kind !== 'file') return undefined;
  if (folder.files.has(name)) throw new NotAnArchive(`The ZIP contains ${entry.fileName} twice`);
  const file = packedFile(entry);
  folder.files.set(name, file);
  return file;
}

/** The Unicode Path field of Info-ZIP: five bytes, then the name in UTF-8. */
const unicodePath = { id: 0x7075, nameAt: 5 };

/**
 * Returns true if an entry's name is not valid UTF-8. The library replaces invalid bytes by U+FFFD, which valid names
 * can contain too.
 */
function hasBrokenName({ fileName, fileNameRaw, extraFields }: Entry): boolean {
  if (!fileName.includes('\ufffd')) return false;
  const others = extraFields.filter(({ id }) => id === unicodePath.id);
  const given = [fileNameRaw, ...others.map(({ data }) => data.subarray(unicodePath.nameAt))];
  return !given.some((name) => name.equals(Buffer.from(fileName)));
}

/** Returns the type of an entry. Archives from Unix have the file type in their attributes. */
function entryType({ fileName, externalFileAttributes }: Entry): 'file' | 'folder' | 'link' | 'special' {
  const type = (externalFileAttributes >>> 16) & 0o170000;
  if (fileName.endsWith('/') || type === 0o040000) return 'folder';
  if (type === 0o120000) return 'link';
  return type === 0 || type === 0o100000 ? 'file' : 'special';
}

function folderAt(top: ZippedFolder, names: string[]): ZippedFolder {
  let folder = top;
  for (const name of names) {
    let inner = folder.folders.get(name);
    if (!inner) {
      inner = emptyFolder();
      folder.folders.set(name, inner);
    }
    folder = inner;
  }
  return folder;
}

function packedFile(entry: Entry): ZippedFile {
  const { compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag } = entry;
  const { relativeOffsetOfLocalHeader, crc32 } = entry;
  const modified = Math.floor(entry.getLastModDate().getTime() / 1000) || 0;
  return {
    compressedSize,
    uncompressedSize,
    compressionMethod,
    generalPurposeBitFlag,
    relativeOffsetOfLocalHeader,
    crc32,
    modified,
  };
}

/**
 * Refuses archives whose files overlap. In such an archive many files could use the same bytes, and unpack to any size.
 * Without overlaps, the unpacked size is at most about a thousand times the archive's, the limit of DEFLATE.
 */
function refuseOverlaps(files: ZippedFile[]): void {
  const entryStart = (file: ZippedFile) => file.relativeOffsetOfLocalHeader;
  files.sort((one, other) => entryStart(one) - entryStart(other));
  let end = 0;
  for (const file of files) {
    if (entryStart(file) < end) throw new NotAnArchive('The files in the ZIP overlap');
    end = entryStart(file) + file.compressedSize;
  }
}
