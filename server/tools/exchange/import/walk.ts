/** Walks the folders of a tree, and finds the photos and the files that describe them. */
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../../../platform/errors/storage.ts';
import { avatarFileName } from '../account-schema.ts';
import { albumFileName } from '../schema.ts';

export interface FoundFile {
  name: string;
  /** Names of files in the same folder that describe this file. */
  json: string | undefined;
  xmp: string | undefined;
}

export interface FoundFolder {
  /** Path of the folder as names from the top, or [] for the top folder. */
  path: string[];
  /** All files that may be photos, in the order of their names. */
  files: FoundFile[];
  isAlbum: boolean;
  /**
   * Number of symbolic links, which are not followed, because their targets may be outside of the folder or contain it.
   */
  links: number;
  /** Reason why the folder could not be read, or ''. */
  refusal: string;
}

/** Files and folders that cameras, file managers and network drives leave behind. */
export const ignoredNames =
  /^(\.|__MACOSX$|@eaDir$|#recycle$|\$RECYCLE\.BIN$|System Volume Information$|Thumbs\.db$|ehthumbs\.db$|desktop\.ini$)/i;

/** Yields all folders below `root`, each before its subfolders. */
export async function* walkFolders(root: string, path: string[] = []): AsyncGenerator<FoundFolder> {
  let found: Dirent[];
  try {
    found = await readdir(join(root, ...path), { withFileTypes: true });
  } catch (error) {
    yield {
      path,
      files: [],
      isAlbum: false,
      links: 0,
      refusal: `The folder cannot be read (${getErrorCode(error)})`,
    };
    return;
  }
  const entries = found.filter(({ name }) => !ignoredNames.test(name));
  entries.sort((one, other) => compareNames(one.name, other.name));
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  yield createFoundFolder(path, names, entries.filter((entry) => entry.isSymbolicLink()).length);
  for (const entry of entries) {
    if (entry.isDirectory()) yield* walkFolders(root, [...path, entry.name]);
  }
}

export function compareNames(one: string, other: string): number {
  return compareByName.compare(one, other) || (one < other ? -1 : 1);
}

/** Sorts numbers by value, so that `2.jpg` comes before `10.jpg`. */
const compareByName = new Intl.Collator('en', { numeric: true });

/** Returns a folder with its photos. `names` are the sorted names of its files. */
export function createFoundFolder(path: string[], names: string[], links: number): FoundFolder {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  const jsons = new Map<string, string>();
  for (const name of names) {
    const about = byLowerCase.get(findDescribedFile(name, byLowerCase));
    if (about !== undefined) jsons.set(about, name);
  }
  return {
    path,
    files: names
      .filter((name) => !/\.(json|xmp)$/i.test(name) && name !== avatarFileName)
      .map((name) => ({ name, json: jsons.get(name), xmp: findXmp(name, byLowerCase) })),
    isAlbum: names.includes(albumFileName),
    links,
    refusal: '',
  };
}

/**
 * Returns the lower-case name of the file that a JSON file describes. The name is usually `photo.jpg.json`. Google
 * Takeout writes `photo.jpg.supplemental-metadata.json`, shortened at any character, or `photo.jpg(1).json` for
 * `photo(1).jpg`.
 */
function findDescribedFile(name: string, names: Map<string, string>): string {
  const match = /^(.+?)(\(\d+\))?\.json$/.exec(name.toLowerCase());
  if (!match) return '';
  const [, stem, number = ''] = match as unknown as [string, string, string?];
  for (const candidate of [stem, stem.replace(/\.s[a-z-]*$/, '')]) {
    const numbered = candidate.replace(/(\.[^.]+)?$/, `${number}$1`);
    if (names.has(numbered)) return numbered;
  }
  return '';
}

/** Returns the name of a photo's XMP file: `photo.jpg.xmp` or `photo.xmp`. */
function findXmp(name: string, names: Map<string, string>): string | undefined {
  const lower = name.toLowerCase();
  return names.get(`${lower}.xmp`) ?? names.get(lower.replace(/\.[^.]+$/, '.xmp'));
}

/** With these flags, opening a link fails and opening a pipe does not block. Windows supports neither flag. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Thrown if a file cannot be imported although the others can. The message is a sentence for the operator. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
}

/** Opens a regular file. Throws NotAFile for links, pipes, devices and folders, or an error of the file system. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, openFlags).catch((error: unknown) => {
    // Linux and BSD return these error codes for links and pipes.
    throw /^(ELOOP|EMLINK|ENXIO)$/.test(getErrorCode(error) ?? '')
      ? new NotAFile('Not a regular file')
      : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotAFile('Not a regular file');
}

/** Reads a file of at most `maxBytes`. Returns no bytes for a longer file, or for one that grows while it is read. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) return emptyBuffer;
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
    return emptyBuffer;
  } finally {
    await handle.close();
  }
}

const emptyBuffer = Buffer.alloc(0);
