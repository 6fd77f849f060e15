/** Applies the rules of Google Takeout to the folders of a source. */

import type { FolderRules } from '../folder-rules.ts';
import type { FolderFindings } from '../inspect-folder.ts';
import { append } from '../match-json.ts';
import {
  foldName,
  getFileName,
  listFolders,
  mergeFolder,
  type ReadSmallFile,
  type SourceFile,
  type SourceFolder,
} from '../source-file.ts';
import { parseJsonObject, readTakeoutFacts } from '../takeout-json.ts';
import {
  hasYearPhrase,
  isDayName,
  isSpecialName,
  isTakeoutFolder,
  isTrashName,
  readYearName,
} from './folders.ts';

/**
 * Merges the parts of an archive that were unpacked to different folders. Returns the folders that contain the folders
 * of Google Photos.
 */
export function mergeTakeouts(top: SourceFolder): SourceFolder[] {
  const found: SourceFolder[] = [];
  for (const folder of listFolders(top)) {
    if (isTakeoutFolder(folder) && !found.some((outer) => isInside(folder, outer))) found.push(folder);
  }
  const [first, ...others] = found.filter(isNamedTakeout);
  if (first) for (const other of others) mergeFolder(first, other);
  return found.filter((folder) => folder === first || !others.includes(folder));
}

function isNamedTakeout({ name, parent }: SourceFolder): boolean {
  return /google/i.test(name) && parent !== undefined && /^takeout$/i.test(parent.name);
}

function isInside(folder: SourceFolder, outer: SourceFolder): boolean {
  for (let each = folder.parent; each; each = each.parent) if (each === outer) return true;
  return false;
}

/** Gives a copy in an album the JSON of the same file in its year folder, by name and bytes. */
export function shareTakeoutJson(takeout: SourceFolder, findings: Map<SourceFolder, FolderFindings>): void {
  const known = new Map<string, SourceFile>();
  const key = (file: SourceFile) => `${file.bytes} ${foldName(getFileName(file))}`;
  const inside = [...listFolders(takeout)].flatMap((folder) => findings.get(folder) ?? []);
  for (const { json } of inside) {
    for (const [file, match] of json.byMedia) if (!match.isOfOriginal) known.set(key(file), match.json);
  }
  for (const { media, json } of inside) {
    for (const file of media) {
      const same = known.get(key(file));
      const isFree = !json.byMedia.has(file) || json.byMedia.get(file)!.isOfOriginal;
      if (same && isFree) json.byMedia.set(file, { json: same, isOfOriginal: false });
    }
  }
}

interface TakeoutSearch {
  top: SourceFolder;
  takeouts: SourceFolder[];
  findings: Map<SourceFolder, FolderFindings>;
  rules: FolderRules;
  read: ReadSmallFile;
}

export async function assignTakeoutRules({
  top,
  takeouts,
  findings,
  rules,
  read,
}: TakeoutSearch): Promise<void> {
  for (const folder of listFolders(top)) {
    const isTakeout = takeouts.includes(folder);
    const years = await findYearFolders(folder, findings, read);
    for (const year of years) rules.set(year, { kind: 'no-album' });
    if (isTakeout) assignSpecialFolders(folder, findings, rules);
    const isRoot =
      isTakeout && (isNamedTakeout(folder) || hasTakeoutJson([...folder.folders.values()], findings));
    if (folder.parent && (isRoot || years.some((year) => !hasYearPhrase(year.name)))) {
      rules.set(folder, { kind: 'top' });
    }
  }
}

function hasTakeoutJson(folders: SourceFolder[], findings: Map<SourceFolder, FolderFindings>): boolean {
  return folders.some((folder) => (findings.get(folder)?.json.byMedia.size ?? 0) > 0);
}

/** Returns the year folders in a folder: by a known name, or by the same words with several years. */
async function findYearFolders(
  { folders }: SourceFolder,
  findings: Map<SourceFolder, FolderFindings>,
  read: ReadSmallFile,
): Promise<SourceFolder[]> {
  const unnamed = [...folders.values()].filter((folder) => !isNamedAlbum(folder, findings.get(folder)));
  const known = unnamed.filter(({ name }) => hasYearPhrase(name));
  if (known.length > 0) return known;
  const byPhrase = new Map<string, SourceFolder[]>();
  for (const folder of unnamed) {
    const year = readYearName(folder.name);
    if (year) append(byPhrase, year.phrase, folder);
  }
  const [common = []] = [...byPhrase.values()].sort((one, other) => other.length - one.length);
  if (common.length < 2) return [];
  for (const folder of common) if (!(await isOfItsYear(folder, findings.get(folder), read))) return [];
  return common;
}

/** Returns whether a folder has a title of its own, which only albums have. */
function isNamedAlbum({ name }: SourceFolder, findings: FolderFindings | undefined): boolean {
  if (findings?.lightwell.has('album')) return true;
  const title = findings?.takeoutAlbum?.title;
  return title !== undefined && title !== '' && !(hasYearPhrase(name) && foldName(title) === foldName(name));
}

const daySeconds = 86_400;

/** Returns whether the first photo that Takeout describes was taken in the year of the folder's name. */
async function isOfItsYear(
  { name }: SourceFolder,
  findings: FolderFindings | undefined,
  read: ReadSmallFile,
): Promise<boolean> {
  const [first] = findings?.json.byMedia.values() ?? [];
  const value = first && parseJsonObject(await read(first.json));
  const time = value && readTakeoutFacts(value)?.takenTime;
  if (time === undefined) return false;
  const { year } = readYearName(name)!;
  return [-daySeconds, 0, daySeconds].some(
    (shift) => new Date((time + shift) * 1000).getUTCFullYear() === year,
  );
}

function assignSpecialFolders(
  { folders }: SourceFolder,
  findings: Map<SourceFolder, FolderFindings>,
  rules: FolderRules,
): void {
  for (const folder of folders.values()) {
    const title = findings.get(folder)?.takeoutAlbum?.title ?? '';
    const isNamed = title !== '' && foldName(title) !== foldName(folder.name);
    if (isNamed || !(isSpecialName(folder.name) || isDayName(folder.name))) continue;
    rules.set(folder, { kind: isTrashName(folder.name) ? 'trash' : 'no-album' });
  }
}
