/**
 * The pages of the web gallery: their paths, equal to those in `web/routes.tsx`, and the modules that each page needs
 * at once. Browsers load these modules in parallel.
 */
import { dirname } from 'node:path';
import type { Language } from '../../platform/http/language.ts';

export interface PageRoute {
  /** Path of the page in the syntax of the server's router. */
  path: string;
  /** Source files of the page, below `web`. */
  sources: string[];
  /** Content of the document besides the frame. Without this field, the script fetches all content from the API. */
  /** True for pages of admins. Everyone else gets the page for unknown paths. */
  isForAdmins?: true;
  shows?: 'wall' | 'photo' | 'album';
  /** Subject of the page's link preview. Without this field, the page has no preview. */
  card?: 'home' | 'photo' | 'album' | 'person';
  /** True for pages that visitors of a gallery for members can open. Other pages lead them to the sign-in page. */
  openToVisitors?: true;
}

export const pageRoutes: PageRoute[] = [
  { path: '/', sources: ['photos/page-home.tsx'], shows: 'wall', card: 'home' },
  {
    path: '/photos/:id',
    sources: ['photos/page-home.tsx', 'viewer/page-viewer.tsx'],
    shows: 'photo',
    card: 'photo',
  },
  { path: '/search', sources: ['search/page-search.tsx'] },
  {
    path: '/search/photos/:id',
    sources: ['search/page-search.tsx', 'viewer/page-viewer.tsx'],
    card: 'photo',
  },
  { path: '/users/:name', sources: ['users/page-person.tsx'], card: 'person' },
  {
    path: '/users/:name/photos/:id',
    sources: ['users/page-person.tsx', 'viewer/page-viewer.tsx'],
    card: 'photo',
  },
  { path: '/users/:name/followers', sources: ['users/page-follows.tsx'] },
  { path: '/users/:name/following', sources: ['users/page-follows.tsx'] },
  { path: '/users/:name/albums', sources: ['albums/page-person-albums.tsx'], card: 'person' },
  { path: '/albums', sources: ['albums/page-albums.tsx'] },
  { path: '/albums/:id', sources: ['albums/page-album.tsx'], shows: 'album', card: 'album' },
  { path: '/albums/:id/add', sources: ['albums/page-add-photos.tsx'] },
  {
    path: '/albums/:id/photos/:photoId',
    sources: ['albums/page-album.tsx', 'viewer/page-viewer.tsx'],
    shows: 'album',
    card: 'photo',
  },
  { path: '/explore', sources: ['explore/page-explore.tsx', 'albums/card.tsx'] },
  { path: '/explore/albums', sources: ['explore/page-directory.tsx', 'albums/card.tsx'] },
  { path: '/explore/people', sources: ['explore/page-directory.tsx', 'albums/card.tsx'] },
  ...['recent', 'liked'].flatMap((name): PageRoute[] => [
    { path: `/explore/${name}`, sources: ['explore/page-shared-photos.tsx'] },
    {
      path: `/explore/${name}/photos/:id`,
      sources: ['explore/page-shared-photos.tsx', 'viewer/page-viewer.tsx'],
      card: 'photo',
    },
  ]),
  { path: '/favorites', sources: ['photos/page-own.tsx'] },
  {
    path: '/favorites/photos/:id',
    sources: ['photos/page-own.tsx', 'viewer/page-viewer.tsx'],
    card: 'photo',
  },
  { path: '/feed', sources: ['photos/page-own.tsx'] },
  { path: '/feed/photos/:id', sources: ['photos/page-own.tsx', 'viewer/page-viewer.tsx'], card: 'photo' },
  { path: '/shares', sources: ['shares/page-shares.tsx'] },
  { path: '/settings', sources: ['settings/page-profile.tsx', 'visibility/visibility-field.tsx'] },
  { path: '/settings/account', sources: ['settings/page-account.tsx'] },
  { path: '/settings/security', sources: ['settings/settings.tsx', 'security/page-security.tsx'] },
  { path: '/settings/keys', sources: ['settings/settings.tsx', 'api-keys/page-api-keys.tsx'] },
  { path: '/settings/webhooks', sources: ['settings/settings.tsx', 'webhooks/page-webhooks.tsx'] },
  { path: '/notifications', sources: ['notifications/page-notifications.tsx'] },
  { path: '/import', sources: ['import/page-import.tsx', 'visibility/visibility-field.tsx'] },
  { path: '/trash', sources: ['photos/page-trash.tsx'] },
  { path: '/trash/photos/:id', sources: ['photos/page-trash.tsx', 'viewer/page-viewer.tsx'] },
  { path: '/sign-in', sources: ['auth/page-sign-in.tsx'], openToVisitors: true },
  { path: '/signed-in', sources: ['session/page-signed-in.tsx'], openToVisitors: true },
  { path: '/register', sources: ['auth/page-register.tsx'], openToVisitors: true },
  { path: '/join/:token', sources: ['auth/page-join.tsx'], openToVisitors: true },
  { path: '/forgot', sources: ['auth/page-forgot.tsx'], openToVisitors: true },
  { path: '/reset', sources: ['auth/page-reset.tsx'], openToVisitors: true },
  { path: '/confirm-email', sources: ['auth/page-confirm-email.tsx'], openToVisitors: true },
  { path: '/first-run', sources: ['first-run/page-first-run.tsx'], openToVisitors: true },
  ...['figures', 'reports', 'users', 'invites', 'photos', 'comments', 'site', 'log'].map(
    (name): PageRoute => ({
      path: name === 'figures' ? '/admin' : `/admin/${name}`,
      sources: ['admin/page-admin.tsx', `admin/page-${name}.tsx`],
      isForAdmins: true,
    }),
  ),
];

/** The page that the server shows for unknown paths. */
export const notFoundRoute: PageRoute = { path: '', sources: [] };

/**
 * Returns the sources of a page and the message files of the folders that they are in. Every page needs the common
 * messages.
 */
export function listPageSources({ sources }: PageRoute, language: Language): string[] {
  const areas = new Set(['common', ...sources.map((source) => dirname(source))]);
  return [...sources, ...[...areas].map((area) => `messages/${language}/${area}.json`)];
}
