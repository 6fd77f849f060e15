/** Sorts the files of one folder, and matches sidecars with photos. */

import { isSystemName } from './kinds.ts';
import { readLightwellKind } from './lightwell.ts';
import {
  assignJson,
  indexMedia,
  insertNumber,
  type JsonMatches,
  listWithPrefix,
  type MediaIndex,
  matchEditedCopies,
  matchJsonFiles,
  splitJsonName,
} from './match-json.ts';
import { matchXmpFiles, type XmpMatches } from './match-xmp.ts';
import {
  compareNames,
  foldName,
  getFileName,
  type ReadSmallFile,
  type SourceFile,
  type SourceFolder,
  splitExtension,
} from './source-file.ts';
import { parseJsonObject, readTakeoutAlbum, readTakeoutFacts, type TakeoutAlbum } from './takeout-json.ts';

export interface FolderFindings {
  /** Files that are no sidecars, sorted by name. */
  media: SourceFile[];
  index: MediaIndex;
  /** JSON and XMP files, without those of an export of Lightwell. */
  sidecars: SourceFile[];
  json: JsonMatches;
  xmp: XmpMatches;
  /** JSON files of Takeout whose photos are not in the sources. */
  apart: Set<SourceFile>;
  takeoutAlbum: (TakeoutAlbum & { file: SourceFile }) | undefined;
  /** Files of an export of Lightwell by their kind. */
  lightwell: Map<'album' | 'account' | 'export', SourceFile>;
}

const sidecarName = /\.(?:json|xmp)$/i;

export async function inspectFolder({ files }: SourceFolder, read: ReadSmallFile): Promise<FolderFindings> {
  const readable = files.filter((file) => !file.obstacle && !isSystemName(getFileName(file)));
  readable.sort((one, other) => compareNames(getFileName(one), getFileName(other)));
  const lightwell = await findLightwellFiles(readable, read);
  const own = new Set(lightwell.values());
  const media = readable.filter((file) => !sidecarName.test(getFileName(file)));
  const jsons = readable.filter((file) => /\.json$/i.test(getFileName(file)) && !own.has(file));
  const xmps = readable.filter((file) => /\.xmp$/i.test(getFileName(file)));
  const index = indexMedia(media);
  const findings: FolderFindings = {
    media,
    index,
    sidecars: [...jsons, ...xmps],
    json: matchJsonFiles(jsons, index),
    xmp: matchXmpFiles(xmps, index),
    apart: new Set(),
    takeoutAlbum: undefined,
    lightwell,
  };
  await readUnmatched(findings, read);
  matchEditedCopies(findings.json.byMedia, index);
  return findings;
}

async function findLightwellFiles(
  files: SourceFile[],
  read: ReadSmallFile,
): Promise<FolderFindings['lightwell']> {
  const found: FolderFindings['lightwell'] = new Map();
  for (const file of files) {
    if (!/^(?:album|account|lightwell)\.json$/.test(getFileName(file))) continue;
    const kind = readLightwellKind(parseJsonObject(await read(file)));
    if (kind) found.set(kind, file);
  }
  return found;
}

/** Reads the JSON files that no name has matched: they describe the album, or name their photo inside. */
async function readUnmatched(findings: FolderFindings, read: ReadSmallFile): Promise<void> {
  const { json } = findings;
  const left: SourceFile[] = [];
  for (const file of json.unmatched) {
    const value = parseJsonObject(await read(file));
    const album = value && readTakeoutAlbum(value);
    const facts = value && readTakeoutFacts(value);
    if (album && !facts?.takenTime) findings.takeoutAlbum ??= { ...album, file };
    else if (!facts || !assignJson(json.byMedia, file, findByTitle(facts.title, file, findings))) {
      left.push(file);
      if (facts?.takenTime !== undefined && facts.title !== '') findings.apart.add(file);
    }
  }
  json.unmatched = left;
}

/** Characters of a title that Takeout replaces by `_` in the name of a file. */
const replacedCharacters = /[&:/?*"<>|'%\\]/g;
/** Number of characters that a title and a cut name share at least. */
const shortestTitle = 40;

function findByTitle(
  title: string,
  json: SourceFile,
  { index, json: { byMedia } }: FolderFindings,
): SourceFile[] {
  if (title === '') return [];
  const { number } = splitJsonName(json);
  const isFree = (file: SourceFile) => !byMedia.has(file);
  const plain = insertNumber(foldName(title), number);
  for (const name of [plain, plain.replace(replacedCharacters, '_')]) {
    const whole = (index.byName.get(name) ?? index.byStem.get(splitExtension(name).stem) ?? []).filter(
      isFree,
    );
    if (whole.length > 0) return whole;
  }
  const stem = splitExtension(foldName(title).replace(replacedCharacters, '_')).stem;
  const similar = listWithPrefix(index.longNames, stem.slice(0, shortestTitle));
  const cut = similar.filter((name) => {
    const start = splitExtension(name).stem.replace(/\(\d{1,6}\)$/, '');
    return stem.startsWith(start) && name.includes(number);
  });
  const found = cut.flatMap((name) => index.byName.get(name)!).filter(isFree);
  return found.length === 1 ? found : [];
}
