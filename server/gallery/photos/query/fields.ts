/** Fields of a search query and the parsers of their values. */
import { foldSearchText } from '../../../platform/db/fold.ts';
import { imageFormats } from '../../../platform/imaging/formats.ts';
import {
  parseDayRange,
  parseFileSize,
  parseRealNumber,
  parseSearchRange,
  parseWholeNumber,
  type RangeBound,
} from './ranges.ts';

export type PhotoFlag = (typeof photoFlags)[number];
export type PhotoShape = (typeof photoShapes)[number];
export type PhotoMeasure = 'iso' | 'aperture' | 'focal_length' | 'size' | 'taken_time' | 'create_time';

export interface WordsCondition {
  kind: 'words';
  text: string;
}

export type SearchCondition =
  /** Text of the condition, folded so that case does not matter, and never empty. */
  | WordsCondition
  | { kind: 'tag' | 'by' | 'camera' | 'lens'; text: string }
  /** Text of a word in the username or nickname of the owner, in the name of an album, or in the own text. */
  | { kind: 'owner' | 'albumName' | 'ownText'; text: string }
  /** Month of capture in any year, from 1 to 12. */
  | { kind: 'month'; month: number }
  | { kind: 'album'; id: number }
  | { kind: 'range'; of: PhotoMeasure; bounds: RangeBound[] }
  | { kind: 'rating'; bounds: RangeBound[] }
  | { kind: 'is'; flag: PhotoFlag }
  | { kind: 'shape'; shape: PhotoShape }
  /** File extension of the original. */
  | { kind: 'type'; extension: string };

const photoFlags = ['public', 'members', 'private', 'liked', 'favorite', 'edited', 'animated'] as const;
const photoShapes = ['landscape', 'portrait', 'square', 'panorama'] as const;
/** Extensions by the name of the format and by the extension. `heif` is an alias of `heic`. */
const mimeByExtension: Record<string, string> = Object.fromEntries([
  ...Object.entries(imageFormats).flatMap(([name, { extension }]) => [
    [name, extension],
    [extension, extension],
  ]),
  ['heif', imageFormats.heic.extension],
]);

/** A parser that returns a condition, or the text of an error. */
type FieldParser = (value: string) => SearchCondition | string;

const createTextParser =
  (kind: 'tag' | 'by' | 'camera' | 'lens'): FieldParser =>
  (value) => ({ kind, text: foldSearchText(value.trim()) });

const createRangeParser =
  (of: PhotoMeasure, one: Parameters<typeof parseSearchRange>[1], examples: string): FieldParser =>
  (value) => {
    const bounds = parseSearchRange(value, one);
    return bounds ? { kind: 'range', of, bounds } : `"${value}" is not a value such as ${examples}`;
  };

function createChoiceParser<const Value extends string>(
  values: readonly Value[],
  make: (value: Value) => SearchCondition,
): FieldParser {
  return (value) => {
    const found = values.find((one) => one === value.toLowerCase());
    return found === undefined ? `"${value}" is not one of ${values.join(', ')}` : make(found);
  };
}

/** Returns a condition of its own, because ratings are visible to the owner and admins only. */
function parseRatingCondition(value: string): SearchCondition | string {
  const bounds = parseSearchRange(value, parseWholeNumber);
  return bounds ? { kind: 'rating', bounds } : `"${value}" is not a value such as 4, >=3, 2..4`;
}

const parserByFieldName = new Map<string, FieldParser>([
  ['tag', createTextParser('tag')],
  ['by', createTextParser('by')],
  [
    'album',
    (value) =>
      /^[1-9]\d{0,14}$/.test(value) ? { kind: 'album', id: Number(value) } : `"${value}" is not an album id`,
  ],
  ['camera', createTextParser('camera')],
  ['lens', createTextParser('lens')],
  ['iso', createRangeParser('iso', parseWholeNumber, '800, >=800, 100..400')],
  ['aperture', createRangeParser('aperture', parseRealNumber, '2.8, <=2.8, 2..5.6')],
  ['focal', createRangeParser('focal_length', parseRealNumber, '50, >=200, 35..85')],
  [
    'taken',
    createRangeParser('taken_time', parseDayRange, '2024, 2024-05, 2024-05-17, >=2024, 2024-05..2024-08'),
  ],
  [
    'added',
    createRangeParser('create_time', parseDayRange, '2024, 2024-05, 2024-05-17, >=2024, 2024-05..2024-08'),
  ],
  ['size', createRangeParser('size', parseFileSize, '10MB, >10MB, 500kB..2MB')],
  ['rating', parseRatingCondition],
  ['is', createChoiceParser(photoFlags, (flag) => ({ kind: 'is', flag }))],
  ['shape', createChoiceParser(photoShapes, (shape) => ({ kind: 'shape', shape }))],
  [
    'type',
    createChoiceParser(Object.keys(mimeByExtension), (type) => ({
      kind: 'type',
      extension: mimeByExtension[type]!,
    })),
  ],
]);

export const searchFieldNames = [...parserByFieldName.keys()];

/** Returns true for the name of a search field, in any letter case. */
export function isSearchField(name: string): boolean {
  return parserByFieldName.has(name.toLowerCase());
}

/** Maximum length of one condition on words, as for the parameter `keyword`. Longer words become several conditions. */
const maxCharacters = 100;
/**
 * Maximum average number of times that the same three characters occur in a phrase. For "the the the …", a search index
 * tries every position of a repeated triple in each text, and the search cannot be aborted.
 */
const maxRepeats = 8;

/** Returns conditions that together mean a word or a phrase. A repetition is searched without its later repeats. */
export function parseSearchWords(words: string): WordsCondition[] {
  const given = words.trim();
  const characters = Array.from(foldSearchText(given) || given);
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += maxCharacters) {
    parts.push(cutRepeats(characters.slice(at, at + maxCharacters)));
  }
  return parts.map((text) => ({ kind: 'words', text }));
}

function cutRepeats(characters: string[]): string {
  const threes = characters.slice(2).map((last, at) => characters[at]! + characters[at + 1]! + last);
  const isRepeating = (count: number) => count > maxRepeats * new Set(threes.slice(0, count)).size;
  const first = isRepeating(threes.length) ? threes.findIndex((_, at) => isRepeating(at + 1)) : threes.length;
  return characters.slice(0, first + 2).join('');
}

export function parseSearchField(name: string, value: string): SearchCondition | string {
  const read = parserByFieldName.get(name.toLowerCase())!;
  return value.trim() === '' ? `${name}: needs a value directly after the colon` : read(value);
}
