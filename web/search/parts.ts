/** A query (`q`) as one field shows it: its filters, which become chips, and the words that stay as they are typed. */
import { fieldNames } from './fields.ts';

export interface Filter {
  /** As it stands in the query. */
  text: string;
  field: string;
  value: string;
  /** What it finds is left out. */
  isExcluded: boolean;
}

export interface Parts {
  filters: Filter[];
  words: string;
}

const token = /(-?)(?:(\p{L}+):("[^"]*"|[^\s()"]+)|"[^"]*"|[^\s()"]+)(?=\s|$)/uy;
const spaces = /\s*/y;

/** With brackets or OR a condition means something by where it stands: then all of it stays text. */
export function partsOf(query: string): Parts {
  const filters: Filter[] = [];
  const words: string[] = [];
  for (let at = endOf(spaces, query, 0); at < query.length; ) {
    token.lastIndex = at;
    const [text, minus, field, value] = token.exec(query) ?? [];
    if (text === undefined || text === 'OR') return { filters: [], words: query.trim() };
    const name = field?.toLowerCase();
    if (name && value && fieldNames.includes(name)) {
      filters.push({ text, field: name, value: value.replaceAll('"', ''), isExcluded: minus === '-' });
    } else words.push(text);
    at = endOf(spaces, query, at + text.length);
  }
  return { filters, words: words.join(' ') };
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

export function queryOf({ filters, words }: Parts): string {
  return [...filters.map(({ text }) => text), words.trim()].filter(Boolean).join(' ');
}

/** Adds what one typed: its own filters go to the others, each once. */
export function withTyped(filters: Filter[], typed: string): string {
  const added = partsOf(typed);
  const texts = new Set(filters.map(({ text }) => text));
  return queryOf({
    filters: [...filters, ...added.filters.filter(({ text }) => !texts.has(text))],
    words: added.words,
  });
}

/** A condition on a value that a person or a camera gave. A quotation mark cannot stand in one: its parts can. */
export function conditionOf(field: string, value: string): string {
  if (value.includes('"')) return value.replaceAll('"', ' ').replace(/\s+/g, ' ').trim();
  return /[\s()]/.test(value) ? `${field}:"${value}"` : `${field}:${value}`;
}
