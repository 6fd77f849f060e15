/** Splits a query (`q`) into filters, which become chips, and words, which stay in the text field. */
import { searchFieldNames } from './fields.ts';

export interface SearchQueryFilter {
  /** Text of the filter as written in the query. */
  text: string;
  field: string;
  value: string;
  /** True if the filter excludes matching photos. */
  isExcluded: boolean;
}

export interface SearchQueryParts {
  filters: SearchQueryFilter[];
  words: string;
}

const tokenPattern = /(-?)(?:(\p{L}+):("[^"]*"|[^\s()"]+)|"[^"]*"|[^\s()"]+)(?=\s|$)/uy;
const spacesPattern = /\s*/y;

/** Splits a query. With brackets or OR the position of a condition matters, so the whole query stays text. */
export function parseSearchQuery(query: string): SearchQueryParts {
  const filters: SearchQueryFilter[] = [];
  const words: string[] = [];
  for (let at = findMatchEnd(spacesPattern, query, 0); at < query.length; ) {
    tokenPattern.lastIndex = at;
    const [text, minus, field, value] = tokenPattern.exec(query) ?? [];
    if (text === undefined || text === 'OR') return { filters: [], words: query.trim() };
    const name = field?.toLowerCase();
    if (name && value && searchFieldNames.includes(name)) {
      filters.push({ text, field: name, value: value.replaceAll('"', ''), isExcluded: minus === '-' });
    } else words.push(text);
    at = findMatchEnd(spacesPattern, query, at + text.length);
  }
  return { filters, words: words.join(' ') };
}

function findMatchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

export function formatSearchQuery({ filters, words }: SearchQueryParts): string {
  return [...filters.map(({ text }) => text), words.trim()].filter(Boolean).join(' ');
}

/** Adds the filters in the typed text to the other filters, without duplicates. */
export function addTypedFilters(filters: SearchQueryFilter[], typed: string): string {
  const added = parseSearchQuery(typed);
  const texts = new Set(filters.map(({ text }) => text));
  return formatSearchQuery({
    filters: [...filters, ...added.filters.filter(({ text }) => !texts.has(text))],
    words: added.words,
  });
}

/**
 * Returns a condition for a field and a value. A value with a quotation mark is searched as plain words
 * instead.
 */
export function formatSearchCondition(field: string, value: string): string {
  if (value.includes('"')) return value.replaceAll('"', ' ').replace(/\s+/g, ' ').trim();
  return /[\s()]/.test(value) ? `${field}:"${value}"` : `${field}:${value}`;
}
