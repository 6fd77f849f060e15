/**
 * Finds the photo that a JSON file describes by their names. Google Takeout cuts the names of its JSON files at 46
 * characters, extension included, and moves the number of a copy to the end.
 */
import { foldName, getFileName, type SourceFile, splitExtension } from './source-file.ts';

export interface JsonMatch {
  json: SourceFile;
  /** Whether the JSON describes the original of an edited copy, and this is the copy. */
  isOfOriginal: boolean;
}

export interface JsonMatches {
  byMedia: Map<SourceFile, JsonMatch>;
  unmatched: SourceFile[];
}

/** Shortest name that a program may have cut. Takeout cuts at 46 characters, and counts some of them twice. */
const shortestCutName = 40;
const supplement = 'supplemental-metadata';

/** Files of one folder by their names and parts of their names, in the form of `foldName`. */
export interface MediaIndex {
  byName: Map<string, SourceFile[]>;
  byStem: Map<string, SourceFile[]>;
  /** Sorted names that are long enough to be cut. */
  longNames: string[];
}

export function indexMedia(media: SourceFile[]): MediaIndex {
  const byName = new Map<string, SourceFile[]>();
  const byStem = new Map<string, SourceFile[]>();
  for (const file of media) {
    const name = foldName(getFileName(file));
    append(byName, name, file);
    append(byStem, splitExtension(name).stem, file);
  }
  const longNames = [...byName.keys()].filter(({ length }) => length >= shortestCutName).sort();
  return { byName, byStem, longNames };
}

/** Matches the JSON files of one folder. A file that could fit two photos stays unmatched; its content decides. */
export function matchJsonFiles(jsons: SourceFile[], index: MediaIndex): JsonMatches {
  const byMedia = new Map<SourceFile, JsonMatch>();
  let unmatched = jsons;
  for (const find of [findWholeName, findCutName, findWithoutExtension]) {
    unmatched = unmatched.filter((json) => !assignJson(byMedia, json, find(splitJsonName(json), index)));
  }
  return { byMedia, unmatched };
}

/** Records the JSON of files without one, and returns whether the JSON describes one of the files. */
export function assignJson(
  byMedia: Map<SourceFile, JsonMatch>,
  json: SourceFile,
  files: SourceFile[],
): boolean {
  for (const file of files) {
    const known = byMedia.get(file);
    const isNearer = known && known.json.source !== file.source && json.source === file.source;
    if (!known || isNearer) byMedia.set(file, { json, isOfOriginal: false });
  }
  return files.length > 0;
}

/** Name of a JSON file without `.json`, in the form of `foldName`. `number` is `(1)`, or ''. */
export interface JsonName {
  stem: string;
  number: string;
}

export function splitJsonName(json: SourceFile): JsonName {
  const whole = foldName(getFileName(json)).replace(/\.json$/, '');
  const number = /\(\d{1,6}\)$/.exec(whole)?.[0] ?? '';
  return { stem: whole.slice(0, whole.length - number.length), number };
}

/** `photo.jpg.json`, `photo.jpg.supplemental-metadata.json` cut at any character, `photo.jpg(1).json`. */
function findWholeName({ stem, number }: JsonName, { byName }: MediaIndex): SourceFile[] {
  const direct = byName.get(stem + number);
  if (direct) return direct;
  for (const name of [stem, removeSupplement(stem)]) {
    const found = byName.get(insertNumber(name, number));
    if (found) return found;
  }
  // The number of `photo(1).jpg.supplemental-metadata.json` is already in its place.
  return [];
}

function removeSupplement(stem: string): string {
  const at = stem.lastIndexOf('.');
  return at > 0 && supplement.startsWith(stem.slice(at + 1)) ? stem.slice(0, at) : stem;
}

/** Returns `photo(1).jpg` for `photo.jpg` and `(1)`. */
export function insertNumber(name: string, number: string): string {
  const { stem, extension } = splitExtension(name);
  return `${stem}${number}${extension}`;
}

/** The JSON's name is the beginning of the photo's name. */
function findCutName({ stem, number }: JsonName, { byName, longNames }: MediaIndex): SourceFile[] {
  if (stem.length < shortestCutName) return [];
  const found = listWithPrefix(longNames, stem).filter((name) => name.includes(number));
  const same = number === '' ? found.filter((name) => !/\(\d{1,6}\)\.[^.]+$/.test(name)) : found;
  return same.length === 1 ? byName.get(same[0]!)! : [];
}

/** Maximum number of names that are compared, because a source can have many names with the same beginning. */
const maxCompared = 100;

/** Returns the names with a prefix from a sorted list. */
export function listWithPrefix(sorted: string[], prefix: string): string[] {
  let [start, end] = [0, sorted.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if (sorted[middle]! < prefix) start = middle + 1;
    else end = middle;
  }
  return sorted.slice(start, start + maxCompared).filter((name) => name.startsWith(prefix));
}

/** `photo.json`, or `photo.heic.json` for a photo that was converted to `photo.jpg`. */
function findWithoutExtension({ stem, number }: JsonName, { byStem }: MediaIndex): SourceFile[] {
  for (const name of [stem, splitExtension(removeSupplement(stem)).stem]) {
    const found = byStem.get(name + number);
    if (found?.length === 1) return found;
  }
  return [];
}

/** Matches `-edited` in every language, also cut, and the number of a copy behind it. */
const editedName = /^(.+)-[\p{L}\p{M}][\p{L}\p{M} ]{0,30}(\(\d{1,6}\))?$/u;

/** Gives edited copies without a JSON of their own the JSON of their original. */
export function matchEditedCopies(byMedia: Map<SourceFile, JsonMatch>, { byStem }: MediaIndex): void {
  const copies = [...byStem.values()].flat().filter((file) => !byMedia.has(file));
  for (const copy of copies) {
    const { stem } = splitExtension(foldName(getFileName(copy)));
    const match = editedName.exec(stem);
    const originals = match ? (byStem.get(`${match[1]}${match[2] ?? ''}`) ?? []) : [];
    const original = originals.find((file) => byMedia.get(file)?.isOfOriginal === false);
    if (original) byMedia.set(copy, { json: byMedia.get(original)!.json, isOfOriginal: true });
  }
}

export function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
