/** Builds the URLs of search pages. */

/** Returns the readable URL of a query's search page. */
export function searchHref(query: string): string {
  return query === '' ? '/search' : `/search?q=${escapeQueryValue(query)}`;
}

/** Escapes only characters that would end the parameter or change its meaning. */
export function escapeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',');
}
