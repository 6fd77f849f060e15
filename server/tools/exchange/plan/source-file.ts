/** Files of the sources of an import, and the folders that their paths form. */

/** A file of a source. The browser and the command line list them; nothing is read for it. */
export interface SourceFile {
  /** Names of the folders and the file from the top of the source, joined by `/`. */
  path: string;
  bytes: number;
  /** Time of the last change in Unix seconds, or 0 if unknown. */
  modified: number;
  /** Index of the source, because all sources of an import form one tree. */
  source: number;
  /** Reason why the file cannot be read, such as a link, or undefined. */
  obstacle?: Obstacle;
}

export interface Obstacle {
  /** `ignored` for a file that nobody misses, and `refused` for a file that its owner wants. */
  outcome: 'ignored' | 'refused';
  reason: string;
}

/** Reads a file of at most `maxSidecarBytes`. Returns no bytes for a longer file or one that cannot be read. */
export type ReadSmallFile = (file: SourceFile) => Promise<Uint8Array>;

export const maxSidecarBytes = 4 * 1024 * 1024;

export interface SourceFolder {
  name: string;
  parent: SourceFolder | undefined;
  folders: Map<string, SourceFolder>;
  files: SourceFile[];
}

export function getFileName({ path }: Pick<SourceFile, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the top folder of all sources together. */
export function buildFolderTree(files: SourceFile[]): SourceFolder {
  const top = createFolder('', undefined);
  const known = new Map<string, SourceFolder>([['', top]]);
  for (const file of files) {
    const end = file.path.lastIndexOf('/');
    findOrCreateFolder(known, end < 0 ? '' : file.path.slice(0, end)).files.push(file);
  }
  return top;
}

function findOrCreateFolder(known: Map<string, SourceFolder>, path: string): SourceFolder {
  const found = known.get(path);
  if (found) return found;
  const end = path.lastIndexOf('/');
  const parent = findOrCreateFolder(known, end < 0 ? '' : path.slice(0, end));
  const folder = createFolder(path.slice(end + 1), parent);
  parent.folders.set(folder.name, folder);
  known.set(path, folder);
  return folder;
}

function createFolder(name: string, parent: SourceFolder | undefined): SourceFolder {
  return { name, parent, folders: new Map(), files: [] };
}

/** Moves everything in `folder` to `target`, whose files stay first. */
export function mergeFolder(target: SourceFolder, folder: SourceFolder): void {
  for (const file of folder.files) target.files.push(file);
  for (const inner of folder.folders.values()) {
    const same = target.folders.get(inner.name);
    if (same) mergeFolder(same, inner);
    else {
      inner.parent = target;
      target.folders.set(inner.name, inner);
    }
  }
  folder.files = [];
  folder.folders = new Map();
}

/** Yields a folder and all folders below, each before its subfolders, which are sorted by their names. */
export function* listFolders(folder: SourceFolder): Generator<SourceFolder> {
  yield folder;
  const inner = [...folder.folders.values()].sort((one, other) => compareNames(one.name, other.name));
  for (const each of inner) yield* listFolders(each);
}

/** Sorts numbers by value, so that `2.jpg` comes before `10.jpg`. */
const collator = new Intl.Collator('en', { numeric: true });

export function compareNames(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other));
}

/** Returns the form of a name in which spellings that mean the same file are equal. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Splits `photo.jpg` into `photo` and `.jpg`. */
export function splitExtension(name: string): { stem: string; extension: string } {
  const at = name.lastIndexOf('.');
  return at <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, at), extension: name.slice(at) };
}
