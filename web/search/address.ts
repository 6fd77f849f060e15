/** Addresses of searches. */

/** Address of what a query finds, as one would write it. */
export function searchHref(query: string): string {
  return query === '' ? '/search' : `/search?q=${escapeQueryValue(query)}`;
}

/** Only what would end the parameter, or mean something else in it, is escaped. */
export function escapeQueryValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+').replaceAll('%3A', ':').replaceAll('%2C', ',');
}
