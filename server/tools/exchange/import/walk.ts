/** The folders of a tree, one at a time, with the photos and what lies beside them that tells about them. */
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../platform/errors/storage.ts';
import { avatarFileName } from '../account-schema.ts';
import { albumFileName } from '../schema.ts';

export interface FoundFile {
  name: string;
  /** Names of files in the same folder that tell about this one. */
  json: string | undefined;
  xmp: string | undefined;
}

export interface FoundFolder {
  /** Names from the top; [] for the folder that the walk began at. */
  path: string[];
  /** Everything that might be a photo, in the order of names. */
  files: FoundFile[];
  isAlbum: boolean;
  /** Links, which are not followed: what they lead to may lie outside, or contain them. */
  links: number;
  /** Why nothing of it could be read, '' where it could. */
  refusal: string;
}

/** What cameras, file managers and network drives leave behind. */
export const litter =
  /^(\.|__MACOSX$|@eaDir$|#recycle$|\$RECYCLE\.BIN$|System Volume Information$|Thumbs\.db$|ehthumbs\.db$|desktop\.ini$)/i;

/** A folder comes before what is in it. */
export async function* walk(root: string, path: string[] = []): AsyncGenerator<FoundFolder> {
  let found: Dirent[];
  try {
    found = await readdir(join(root, ...path), { withFileTypes: true });
  } catch (error) {
    yield { path, files: [], isAlbum: false, links: 0, refusal: `It cannot be read (${codeOf(error)})` };
    return;
  }
  const entries = found.filter(({ name }) => !litter.test(name));
  entries.sort((one, other) => compareNames(one.name, other.name));
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  yield folderOf(path, names, entries.filter((entry) => entry.isSymbolicLink()).length);
  for (const entry of entries) {
    if (entry.isDirectory()) yield* walk(root, [...path, entry.name]);
  }
}

export function compareNames(one: string, other: string): number {
  return inOrder.compare(one, other) || (one < other ? -1 : 1);
}

/** `2.jpg` before `10.jpg`, as people look at them. */
const inOrder = new Intl.Collator('en', { numeric: true });

/** `names`: of its files, in their order. */
export function folderOf(path: string[], names: string[], links: number): FoundFolder {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  const jsons = new Map<string, string>();
  for (const name of names) {
    const about = byLowerCase.get(subjectOf(name, byLowerCase));
    if (about !== undefined) jsons.set(about, name);
  }
  return {
    path,
    files: names
      .filter((name) => !/\.(json|xmp)$/i.test(name) && name !== avatarFileName)
      .map((name) => ({ name, json: jsons.get(name), xmp: xmpOf(name, byLowerCase) })),
    isAlbum: names.includes(albumFileName),
    links,
    refusal: '',
  };
}

/**
 * The file that a JSON file tells about, in lower case: `photo.jpg.json`, and what Google Takeout makes of it:
 * `photo.jpg.supplemental-metadata.json`, cut off anywhere, `photo.jpg(1).json` for `photo(1).jpg`.
 */
function subjectOf(name: string, names: Map<string, string>): string {
  const match = /^(.+?)(\(\d+\))?\.json$/.exec(name.toLowerCase());
  if (!match) return '';
  const [, stem, number = ''] = match as unknown as [string, string, string?];
  for (const candidate of [stem, stem.replace(/\.s[a-z-]*$/, '')]) {
    const numbered = candidate.replace(/(\.[^.]+)?$/, `${number}$1`);
    if (names.has(numbered)) return numbered;
  }
  return '';
}

/** `photo.jpg.xmp` or `photo.xmp`. */
function xmpOf(name: string, names: Map<string, string>): string | undefined {
  const lower = name.toLowerCase();
  return names.get(`${lower}.xmp`) ?? names.get(lower.replace(/\.[^.]+$/, '.xmp'));
}

/** Opening a link fails, and opening a pipe does not wait for a writer. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Its message is a sentence for the operator: the file is not imported, and the others are. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
}

/** Throws NotAFile for links, pipes, devices and folders, and what the file system says. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, flags).catch((error: unknown) => {
    // What Linux and BSD say of a link.
    throw /^(ELOOP|EMLINK|ENXIO)$/.test(codeOf(error) ?? '')
      ? new NotAFile('It is not a regular file')
      : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotAFile('It is not a regular file');
}

/** A file of at most so many bytes; nothing of a longer one, and of one that is longer than it claims. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) return nothing;
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
    return nothing;
  } finally {
    await handle.close();
  }
}

const nothing = Buffer.alloc(0);
