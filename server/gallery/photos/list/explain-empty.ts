/** Explains an empty search result: what was searched, and a shorter query that finds something for the viewer. */
import { QueryTooSlow } from '../../../platform/db/dialect.ts';
import type { SearchTerm } from '../query/schema.ts';
import { splitSearchTerms } from '../query/terms.ts';

export interface EmptyResult {
  understood: SearchTerm[];
  nearest?: string;
}

/** Maximum number of shorter queries that are tried. */
const maxTries = 8;
/** Milliseconds after which no further query is tried. */
const maxDuration = 1000;

/** Returns the explanation. `hasPhotos` tells whether the same list finds photos with another query. */
export async function explainEmptyResult(
  q: string,
  hasPhotos: (q: string) => Promise<boolean>,
): Promise<EmptyResult> {
  const understood = splitSearchTerms(q);
  const end = performance.now() + maxDuration;
  for (const shorter of listShorterQueries(understood).slice(0, maxTries)) {
    if (performance.now() > end) break;
    try {
      if (await hasPhotos(shorter)) return { understood, nearest: shorter };
    } catch (error) {
      if (error instanceof QueryTooSlow) break;
      throw error;
    }
  }
  return { understood };
}

/** Returns the queries without one of the terms, the last one first, and then each term alone. */
function listShorterQueries(terms: SearchTerm[]): string[] {
  if (terms.length < 2) return [];
  const without = terms.map((_, place) => terms.toSpliced(place, 1)).reverse();
  const alone = terms.map((term) => [term]);
  const shorter = [...without, ...alone].filter((some) => some.some((term) => !term.is_excluded));
  return [...new Set(shorter.map((some) => some.map(({ q }) => q).join(' ')))];
}
