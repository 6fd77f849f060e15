/** Entries of the main navigation, which the server's documents and `web/navigation` both show. */
export interface NavigationEntry {
  /** Path of the entry's page. */
  to: string;
  /** Key of the entry's text. */
  text: 'photos' | 'explore' | 'myPhotos' | 'albums' | 'favorites' | 'trash' | 'signIn';
}

const photos: NavigationEntry = { to: '/', text: 'photos' };
const explore: NavigationEntry = { to: '/explore', text: 'explore' };

/**
 * Lists the entries in their order, for a user or a visitor. Phones have room for five entries, so they do not show
 * the user's own photos.
 */
export function listNavigationEntries(user: { username: string } | null): NavigationEntry[] {
  if (!user) return [photos, explore, { to: '/sign-in', text: 'signIn' }];
  return [
    photos,
    explore,
    { to: `/users/${user.username}`, text: 'myPhotos' },
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
