/**
 * The choice for an import that is not finished, so that a reload can go on with it. The stored text has neither names
 * nor paths, and signing out deletes it.
 */
import type { ImportChoice } from './single-photo.ts';

/** web/auth/queries.ts deletes the entry when the user signs out. */
const storageKey = 'lightwell-import';

export function readImportChoice(user: number): ImportChoice | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as
      | (ImportChoice & { user: number })
      | null;
    return stored?.user === user ? { level: stored.level, album: stored.album } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the choice; undefined deletes it. Without storage, a reload asks for the choice again. */
export function writeImportChoice(user: number, choice: ImportChoice | undefined): void {
  try {
    if (choice) localStorage.setItem(storageKey, JSON.stringify({ user, ...choice }));
    else localStorage.removeItem(storageKey);
  } catch {
    // The browser's localStorage is full or forbidden.
  }
}
