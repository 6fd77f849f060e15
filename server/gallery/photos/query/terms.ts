/** Splits a search query into the terms that a photo must match, as a site shows them beside an empty result. */
import { foldSearchText } from '../../../platform/db/fold.ts';
import { describeDateWord } from './date-words.ts';
import type { SearchTerm } from './schema.ts';
import { isStray, type QueryToken, readPlainForms, readWord, tokenizeQuery } from './tokens.ts';

/** Returns the terms of a valid query, all of which a photo must match. A query with OR is one term. */
export function splitSearchTerms(text: string): SearchTerm[] {
  const tokens = tokenizeQuery(text);
  const terms: { term: SearchTerm; isStray: boolean }[] = [];
  let next = 0;
  while (next < tokens.length) {
    const start = next;
    while (tokens[next]!.kind === '-') next++;
    const isExcluded = (next - start) % 2 === 1;
    const token = tokens[next]!;
    const end = findOperandEnd(tokens, next);
    if (token.kind === 'OR') return [createGroup(text.trim(), false)];
    const term =
      token.kind === '('
        ? createGroup(readPlainForms(text).slice(token.at, tokens[end]?.at).trim(), isExcluded)
        : createTerm(token, isExcluded);
    terms.push({ term, isStray: isStray(token) });
    next = end;
  }
  const meant = terms.filter((part) => !part.isStray);
  return (meant.length > 0 ? meant : terms).map(({ term }) => term);
}

/** Returns the words that photos must contain or can contain, as typed. */
export function findSearchedWords(text: string): string[] {
  const tokens = tokenizeQuery(text);
  return tokens.flatMap((token, place) =>
    token.kind === 'words' && !isStray(token) && tokens[place - 1]?.kind !== '-' ? [readWord(token)] : [],
  );
}

/** Returns the index of the token behind an operand: behind the closing bracket for a group. */
function findOperandEnd(tokens: QueryToken[], start: number): number {
  let depth = 0;
  for (let place = start; place < tokens.length; place++) {
    const { kind } = tokens[place]!;
    if (kind === '(') depth++;
    else if (kind === ')') depth--;
    if (depth === 0) return place + 1;
  }
  return tokens.length;
}

function createGroup(group: string, isExcluded: boolean): SearchTerm {
  return { q: `${isExcluded ? '-' : ''}${group}`, field: 'group', value: group, is_excluded: isExcluded };
}

function createTerm(token: QueryToken, isExcluded: boolean): SearchTerm {
  const minus = isExcluded ? '-' : '';
  if (token.kind === 'field') {
    const name = token.name.toLowerCase();
    return {
      ...{ q: `${minus}${name}:${quote(token.value)}`, field: name, value: token.value },
      is_excluded: isExcluded,
    };
  }
  const value = token.kind === 'words' ? readWord(token) : token.kind;
  const isPhrase = token.kind === 'words' && token.isPhrase;
  const taken = describeDateWord(foldSearchText(value));
  return {
    ...{ q: `${minus}${isPhrase ? `"${value}"` : value}`, field: 'words', value, is_excluded: isExcluded },
    ...(taken !== undefined && { taken }),
  };
}

function quote(value: string): string {
  return /[\s()]/.test(value) ? `"${value}"` : value;
}
