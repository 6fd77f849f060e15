/** Entries of the main navigation, which the server's documents and `web/navigation` both show. */
export type NavigationPath = '/' | '/explore' | '/albums' | '/favorites' | '/trash' | '/sign-in';

export interface NavigationEntry {
  to: NavigationPath;
  /** Key of the entry's text. */
  text: 'photos' | 'explore' | 'albums' | 'favorites' | 'trash' | 'signIn';
}

const photos: NavigationEntry = { to: '/', text: 'photos' };
const explore: NavigationEntry = { to: '/explore', text: 'explore' };

/** Lists the entries in their order. On phones, the navigation has room for five entries. */
export function listNavigationEntries(isSignedIn: boolean): NavigationEntry[] {
  if (!isSignedIn) return [photos, explore, { to: '/sign-in', text: 'signIn' }];
  return [
    photos,
    explore,
    { to: '/albums', text: 'albums' },
    { to: '/favorites', text: 'favorites' },
    { to: '/trash', text: 'trash' },
  ];
}

/** Returns whether the page at `path` belongs to the entry. */
export function isCurrentEntry({ to }: NavigationEntry, path: string): boolean {
  if (to === '/') return path === '/' || path.startsWith('/photos/');
  return path === to || path.startsWith(`${to}/`);
}
