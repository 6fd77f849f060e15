/** Recognizes the folders of Immich, Lychee and Piwigo. Their thumbnails are ignored, and only albums become albums. */
import type { FolderRules } from './folder-rules.ts';
import { getFileName, listFolders, type SourceFile, type SourceFolder } from './source-file.ts';

const thumbnails = (program: string) =>
  ({ kind: 'ignored', reason: `A folder of ${program} with copies` }) as const;
const plainFolder = { kind: 'no-album' } as const;

export function assignGalleryRoles(top: SourceFolder, rules: FolderRules): void {
  for (const folder of listFolders(top)) {
    if (isImmich(folder)) assignImmich(folder, rules);
    else if (isLychee(folder)) assignLychee(folder, rules);
    if (isPiwigo(folder)) assignPiwigo(folder, rules);
    assignPiwigoAlbum(folder, rules);
  }
}

const immichFolders = ['upload', 'library', 'thumbs', 'encoded-video', 'profile', 'backups'];
const immichCopies = ['thumbs', 'encoded-video', 'profile', 'backups'];

/** Immich writes a file `.immich` into each of its folders. */
function isImmich({ folders }: SourceFolder): boolean {
  const found = immichFolders.filter((name) => folders.has(name));
  const isMarked = found.some((name) =>
    folders.get(name)!.files.some((file) => getFileName(file) === '.immich'),
  );
  const hasOriginals = found.includes('upload') || found.includes('library');
  return hasOriginals && ((isMarked && found.length > 0) || (found.includes('thumbs') && found.length > 2));
}

function assignImmich(root: SourceFolder, rules: FolderRules): void {
  endAlbumsAbove(root, rules);
  for (const name of immichCopies) setRule(root.folders.get(name), rules, thumbnails('Immich'));
  for (const name of ['upload', 'library']) {
    const store = root.folders.get(name);
    setRule(store, rules, plainFolder);
    // The folders of users, which Immich names by label or id.
    for (const user of store?.folders.values() ?? []) {
      setRule(user, rules, plainFolder);
      for (const folder of listFolders(user)) {
        if (folder !== user && isStoreName(folder.name)) setRule(folder, rules, plainFolder);
      }
    }
  }
}

/** Dates, parts of checksums and UUIDs, which name folders of a store and no albums. */
function isStoreName(name: string): boolean {
  return /^(?:(?:19|20)\d\d(?:-\d\d){0,2}|\d\d|[0-9a-f]{2}|[0-9a-f-]{36})$/i.test(name);
}

const lycheeCopies = [
  'medium',
  'medium2x',
  'small',
  'small2x',
  'thumb',
  'thumb2x',
  'placeholder',
  'track',
  'temp',
];

function isLychee({ folders }: SourceFolder): boolean {
  const hasOriginals = folders.has('original') || folders.has('big');
  return hasOriginals && (folders.has('thumb') || folders.has('small') || folders.has('medium'));
}

function assignLychee(root: SourceFolder, rules: FolderRules): void {
  endAlbumsAbove(root, rules);
  const copies =
    root.folders.has('original') && hasFiles(root.folders.get('original')!)
      ? [...lycheeCopies, 'big']
      : lycheeCopies;
  for (const name of copies) setRule(root.folders.get(name), rules, thumbnails('Lychee'));
  for (const name of ['original', 'big', 'import', 'raw']) {
    const store = root.folders.get(name);
    if (!store || rules.has(store)) continue;
    rules.set(store, plainFolder);
    for (const folder of listFolders(store)) if (isStoreName(folder.name)) rules.set(folder, plainFolder);
  }
}

function hasFiles(folder: SourceFolder): boolean {
  for (const { files } of listFolders(folder)) if (files.length > 0) return true;
  return false;
}

function isPiwigo({ folders }: SourceFolder): boolean {
  const isInstalled = folders.get('_data')?.folders.has('i') || folders.has('_data');
  return Boolean(isInstalled && (folders.has('galleries') || folders.has('upload')));
}

function assignPiwigo(root: SourceFolder, rules: FolderRules): void {
  endAlbumsAbove(root, rules);
  for (const folder of root.folders.values()) {
    if (folder.name !== 'galleries' && folder.name !== 'upload') setRule(folder, rules, thumbnails('Piwigo'));
  }
  setRule(root.folders.get('galleries'), rules, plainFolder);
  const upload = root.folders.get('upload');
  if (!upload) return;
  for (const folder of listFolders(upload))
    if (folder === upload || isStoreName(folder.name)) setRule(folder, rules, plainFolder);
}

/** Folders that Piwigo has inside of albums. `pwg_high` has the large originals of old galleries. */
function assignPiwigoAlbum({ folders, files }: SourceFolder, rules: FolderRules): void {
  setRule(folders.get('pwg_representative'), rules, thumbnails('Piwigo'));
  setRule(folders.get('pwg_format'), rules, thumbnails('Piwigo'));
  setRule(folders.get('pwg_high'), rules, plainFolder);
  const thumbnail = folders.get('thumbnail');
  const areCopies = thumbnail?.files.every((file) => /^TN-|^index\./i.test(getFileName(file)));
  if (thumbnail && areCopies && files.length > 0) rules.set(thumbnail, thumbnails('Piwigo'));
}

/** Returns the files of an album whose large originals are in `pwg_high`, and are imported in their place. */
export function listReplacedFiles({ folders, files }: SourceFolder): SourceFile[] {
  const high = new Set((folders.get('pwg_high')?.files ?? []).map(getFileName));
  return high.size === 0 ? [] : files.filter((file) => high.has(getFileName(file)));
}

/** The folders above a program's store are no albums. */
function endAlbumsAbove(root: SourceFolder, rules: FolderRules): void {
  if (root.parent) rules.set(root, { kind: 'top' });
}

function setRule(
  folder: SourceFolder | undefined,
  rules: FolderRules,
  rule: { kind: 'no-album' | 'ignored'; reason?: string },
): void {
  if (folder) rules.set(folder, rule);
}
