/** Recent searches of one person in this browser, the latest first. */

const maxSearches = 5;
const maxLength = 500;
const storageKey = (user: number) => `lightwell-searches-${user}`;

/** Returns the recent searches of a user; 0 means a visitor. */
export function readRecentSearches(user: number): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(user)) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter((query) => typeof query === 'string' && query.trim() !== '').slice(0, maxSearches);
  } catch {
    // Another program changed the entry, or the browser forbids its storage.
    return [];
  }
}

export function addRecentSearch(user: number, query: string): void {
  if (query.length > maxLength) return;
  const others = readRecentSearches(user).filter((other) => other !== query);
  storeSearches(user, [query, ...others].slice(0, maxSearches));
}

export function clearRecentSearches(user: number): void {
  storeSearches(user, []);
}

function storeSearches(user: number, queries: string[]): void {
  try {
    if (queries.length === 0) localStorage.removeItem(storageKey(user));
    else localStorage.setItem(storageKey(user), JSON.stringify(queries));
  } catch {
    // The browser's storage is full or forbidden, so this search is not offered again.
  }
}
