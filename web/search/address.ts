/** Reads and builds the URLs of search pages. */

/** Orders of search results. Without an order, the last taken photo comes first. */
export const searchSorts = ['relevance', 'create_time', 'likes', 'title'] as const;
export type SearchSort = (typeof searchSorts)[number];

interface SearchAddress {
  q?: string;
  sort?: SearchSort;
}

/** Reads the parameters of a search page. An unknown order is ignored. */
export function readSearchAddress({ q, sort }: { q?: string; sort?: string }): SearchAddress {
  const known = searchSorts.find((one) => one === sort);
  return { ...(q !== undefined && { q }), ...(known && { sort: known }) };
}

/** Returns the readable URL of a query's search page. */
export function searchHref(query: string, sort?: SearchSort): string {
  if (query === '') return '/search';
  return `/search${formatSearchParameters(query, sort)}`;
}

export function formatSearchParameters(query: string, sort?: SearchSort): string {
  return `?q=${escapeQueryValue(query)}${sort ? `&sort=${sort}` : ''}`;
}

/** Escapes only characters that would end the parameter or change its meaning. */
export function escapeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',');
}
