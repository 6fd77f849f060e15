/**
 * Parses a search query (`q`): words, "phrases", `field:value`, `OR`, parentheses, and `-` before an excluded part. Text
 * that has no meaning as an operator or a field is a word. Length, number of conditions and depth are limited.
 */
import { parseSearchField, parseSearchWords, type SearchCondition, searchFieldNames } from './fields.ts';
import { isStray, type QueryToken, readPlainForms, readWord, tokenizeQuery } from './tokens.ts';

export const maxQueryLength = 500;
const maxConditions = 30;
const maxDepth = 10;

export type SearchQuery =
  | SearchCondition
  | { kind: 'all' | 'any'; of: SearchQuery[] }
  | { kind: 'not'; of: SearchQuery };

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
  return readTokens(tokens);
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
  const plain = readPlainForms(text);
  for (const token of tokenizeQuery(text)) {
    if (token.kind !== 'field' || token.name.toLowerCase() !== 'album') continue;
    const start = plain.indexOf(token.value, token.at + token.name.length + 1);
    changed += `${text.slice(end, start)}${albumFor(Number(token.value))}`;
    end = start + token.value.length;
  }
  return changed + text.slice(end);
}

/** Builds the query from tokens, whose brackets are pairs and whose operators have operands. */
function readTokens(tokens: QueryToken[]): SearchQuery {
  let next = 0;

  function any(depth: number): SearchQuery {
    const of = [all(depth)];
    while (tokens[next]?.kind === 'OR') {
      next++;
      of.push(all(depth));
    }
    return of.length === 1 ? of[0]! : { kind: 'any', of };
  }

  function all(depth: number): SearchQuery {
    const read: { query: SearchQuery; isStray: boolean }[] = [];
    for (let token = tokens[next]; token && token.kind !== ')' && token.kind !== 'OR'; token = tokens[next]) {
      next++;
      read.push({ query: one(token, depth), isStray: isStray(token) });
    }
    // A dash between two words is no third word that photos must contain.
    const meant = read.filter((part) => !part.isStray);
    const of = (meant.length > 0 ? meant : read).map(({ query }) => query);
    return of.length === 1 ? of[0]! : { kind: 'all', of };
  }

  function one(token: QueryToken, depth: number): SearchQuery {
    if (token.kind === 'words') return readWords(token);
    if (token.kind === 'field') return conditionOr(parseSearchField(token.name, token.value), token);
    if (depth === maxDepth) throw new UnreadableQuery(`nested deeper than ${maxDepth}`, token.at);
    if (token.kind === '-') return { kind: 'not', of: one(tokens[next++]!, depth + 1) };
    const inner = any(depth + 1);
    next++;
    return inner;
  }

  return any(0);
}

function readWords(token: Extract<QueryToken, { kind: 'words' }>): SearchQuery {
  const of = parseSearchWords(readWord(token));
  return of.length === 1 ? of[0]! : { kind: 'all', of };
}

function conditionOr(read: SearchCondition | string, { at }: QueryToken): SearchCondition {
  if (typeof read === 'string') throw new UnreadableQuery(read, at);
  return read;
}
