/**
 * Parses a search query (`q`): words, "phrases", `field:value`, `OR`, parentheses, and `-` before an excluded part. The
 * parser reads the text once. Length, number of conditions and depth are limited.
 */
import { parseSearchField, parseSearchWords, type SearchCondition, searchFieldNames } from './fields.ts';

export const maxQueryLength = 500;
const maxConditions = 30;
const maxDepth = 10;

export type SearchQuery =
  | SearchCondition
  | { kind: 'all' | 'any'; of: SearchQuery[] }
  | { kind: 'not'; of: SearchQuery };

type QueryToken =
  | { kind: '(' | ')' | '-' | 'OR'; at: number }
  | { kind: 'words'; text: string; at: number }
  | { kind: 'field'; name: string; value: string; at: number };

class UnreadableQuery extends Error {
  readonly at: number;

  constructor(what: string, at: number) {
    super(what);
    this.at = at;
  }
}

/** Parses a search query that has passed `findSearchQueryProblem`. Returns undefined for an empty text. */
export function parseSearchQuery(text: string): SearchQuery | undefined {
  const tokens = tokenizeQuery(text);
  if (tokens.length === 0) return undefined;
  const conditions = tokens.filter(({ kind }) => kind === 'words' || kind === 'field');
  const tooMany = conditions[maxConditions];
  if (tooMany) throw new UnreadableQuery(`more than ${maxConditions} conditions`, tooMany.at);
  return readTokens(tokens, text.length);
}

/**
 * Returns the error in a search query, with its position and the allowed fields, or undefined if the query is valid.
 */
export function findSearchQueryProblem(text: string): string | undefined {
  try {
    parseSearchQuery(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableQuery)) throw error;
    const place = Array.from(text.slice(0, error.at)).length + 1;
    return `Cannot be read at character ${place}: ${error.message}. Fields: ${searchFieldNames.join(', ')}`;
  }
}

/** Replaces the album ids in a valid search query, and returns the new text. */
export function replaceAlbumIds(text: string, albumFor: (id: number) => number): string {
  let changed = '';
  let end = 0;
  for (const token of tokenizeQuery(text)) {
    if (token.kind !== 'field' || token.name.toLowerCase() !== 'album') continue;
    const start = text.indexOf(token.value, token.at + token.name.length + 1);
    changed += `${text.slice(end, start)}${albumFor(Number(token.value))}`;
    end = start + token.value.length;
  }
  return changed + text.slice(end);
}

const spacePattern = /\s+/y;
const plainWordPattern = /[^\s()"]+/y;
const quotedPhrasePattern = /"([^"]*)"/y;
const fieldPattern = /^(\p{L}+):(.*)$/su;

function tokenizeQuery(text: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (let at = 0; at < text.length; ) {
    const spaces = matchAt(spacePattern, text, at);
    if (spaces) {
      at += spaces[0].length;
      continue;
    }
    const [token, length] = tokenAt(text, at);
    tokens.push(token);
    at += length;
  }
  return tokens;
}

/** Returns the token that begins at a position, and the token's length. */
function tokenAt(text: string, at: number): [QueryToken, number] {
  const first = text[at]!;
  if (first === '(' || first === ')' || first === '-') return [{ kind: first, at }, 1];
  if (first === '"') {
    const [length, words] = phraseAt(text, at);
    return [{ kind: 'words', text: words, at }, length];
  }
  const [word] = matchAt(plainWordPattern, text, at)!;
  if (word === 'OR') return [{ kind: 'OR', at }, 2];
  const [, name, value] = fieldPattern.exec(word) ?? [];
  if (name === undefined) return [{ kind: 'words', text: word, at }, word.length];
  if (value !== '' || text[at + word.length] !== '"')
    return [{ kind: 'field', name, value: value!, at }, word.length];
  const [length, words] = phraseAt(text, at + word.length);
  return [{ kind: 'field', name, value: words, at }, word.length + length];
}

function phraseAt(text: string, at: number): [number, string] {
  const found = matchAt(quotedPhrasePattern, text, at);
  if (!found) throw new UnreadableQuery('the phrase that starts here has no closing "', at);
  return [found[0].length, found[1]!];
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function readTokens(tokens: QueryToken[], end: number): SearchQuery {
  let next = 0;
  const place = () => tokens[next]?.at ?? end;

  function any(depth: number): SearchQuery {
    const of = [all(depth)];
    while (tokens[next]?.kind === 'OR') {
      next++;
      of.push(all(depth));
    }
    return of.length === 1 ? of[0]! : { kind: 'any', of };
  }

  function all(depth: number): SearchQuery {
    const of: SearchQuery[] = [];
    for (let token = tokens[next]; token && token.kind !== ')' && token.kind !== 'OR'; token = tokens[next]) {
      next++;
      of.push(one(token, depth));
    }
    if (of.length === 0) throw new UnreadableQuery('a word or a condition is missing', place());
    return of.length === 1 ? of[0]! : { kind: 'all', of };
  }

  function one(token: QueryToken, depth: number): SearchQuery {
    if (token.kind === 'words') return conditionOr(parseSearchWords(token.text), token);
    if (token.kind === 'field') return conditionOr(parseSearchField(token.name, token.value), token);
    if (depth === maxDepth) throw new UnreadableQuery(`nested deeper than ${maxDepth}`, token.at);
    if (token.kind === '-') {
      const excluded = tokens[next];
      const isDirect = excluded?.at === token.at + 1 && excluded.kind !== ')' && excluded.kind !== 'OR';
      if (!isDirect)
        throw new UnreadableQuery(
          '"-" must stand directly before the word or condition to exclude',
          token.at,
        );
      next++;
      return { kind: 'not', of: one(excluded, depth + 1) };
    }
    const inner = any(depth + 1);
    if (tokens[next]?.kind !== ')') throw new UnreadableQuery('this bracket is not closed', token.at);
    next++;
    return inner;
  }

  const query = any(0);
  if (next < tokens.length) throw new UnreadableQuery('this bracket has no opening bracket', place());
  return query;
}

function conditionOr(read: SearchCondition | string, { at }: QueryToken): SearchCondition {
  if (typeof read === 'string') throw new UnreadableQuery(read, at);
  return read;
}
