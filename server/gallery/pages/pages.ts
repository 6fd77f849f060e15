/**
 * The pages of the gallery in the browser: their paths, as `web/routes.tsx` has them, and the modules that each begins
 * with, so that they load beside the first one instead of after it.
 */
import { dirname } from 'node:path';
import type { Language } from '../../platform/http/language.ts';

export interface PageRoute {
  /** As the router of the server writes it. */
  path: string;
  /** Sources below `web`. */
  sources: string[];
  /** What the document holds beside the frame; nothing: the page asks the API for what it shows. */
  /** For everybody else there is nothing. */
  isForAdmins?: true;
  shows?: 'wall' | 'photo' | 'album';
}

export const pageRoutes: PageRoute[] = [
  { path: '/', sources: ['photos/page-home.tsx'], shows: 'wall' },
  { path: '/photos/:id', sources: ['photos/page-home.tsx', 'viewer/page-viewer.tsx'], shows: 'photo' },
  { path: '/search', sources: ['search/page-search.tsx'] },
  { path: '/search/photos/:id', sources: ['search/page-search.tsx', 'viewer/page-viewer.tsx'] },
  { path: '/users/:name', sources: ['users/page-person.tsx'] },
  { path: '/users/:name/photos/:id', sources: ['users/page-person.tsx', 'viewer/page-viewer.tsx'] },
  { path: '/users/:name/followers', sources: ['users/page-follows.tsx'] },
  { path: '/users/:name/following', sources: ['users/page-follows.tsx'] },
  { path: '/users/:name/albums', sources: ['albums/page-person-albums.tsx'] },
  { path: '/albums', sources: ['albums/page-albums.tsx'] },
  { path: '/albums/:id', sources: ['albums/page-album.tsx'], shows: 'album' },
  {
    path: '/albums/:id/photos/:photoId',
    sources: ['albums/page-album.tsx', 'viewer/page-viewer.tsx'],
    shows: 'album',
  },
  { path: '/favorites', sources: ['photos/page-own.tsx'] },
  { path: '/favorites/photos/:id', sources: ['photos/page-own.tsx', 'viewer/page-viewer.tsx'] },
  { path: '/feed', sources: ['photos/page-own.tsx'] },
  { path: '/feed/photos/:id', sources: ['photos/page-own.tsx', 'viewer/page-viewer.tsx'] },
  { path: '/shares', sources: ['shares/page-shares.tsx'] },
  { path: '/settings', sources: ['settings/page-profile.tsx'] },
  { path: '/settings/account', sources: ['settings/page-account.tsx'] },
  { path: '/settings/security', sources: ['settings/settings.tsx', 'security/page-security.tsx'] },
  { path: '/settings/keys', sources: ['settings/settings.tsx', 'api-keys/page-api-keys.tsx'] },
  { path: '/settings/webhooks', sources: ['settings/settings.tsx', 'webhooks/page-webhooks.tsx'] },
  { path: '/notifications', sources: ['notifications/page-notifications.tsx'] },
  { path: '/trash', sources: ['photos/page-trash.tsx'] },
  { path: '/sign-in', sources: ['auth/page-sign-in.tsx'] },
  { path: '/signed-in', sources: ['session/page-signed-in.tsx'] },
  { path: '/register', sources: ['auth/page-register.tsx'] },
  { path: '/join/:token', sources: ['auth/page-join.tsx'] },
  { path: '/forgot', sources: ['auth/page-forgot.tsx'] },
  { path: '/reset', sources: ['auth/page-reset.tsx'] },
  { path: '/confirm-email', sources: ['auth/page-confirm-email.tsx'] },
  { path: '/first-run', sources: ['first-run/page-first-run.tsx'] },
  ...['figures', 'reports', 'users', 'invites', 'photos', 'comments', 'log'].map(
    (name): PageRoute => ({
      path: name === 'figures' ? '/admin' : `/admin/${name}`,
      sources: ['admin/page-admin.tsx', `admin/page-${name}.tsx`],
      isForAdmins: true,
    }),
  ),
];

/** What has no page. */
export const nowhere: PageRoute = { path: '', sources: [] };

/** With the texts: those of every page, and those of the folders that its modules are in. */
export function sourcesOf({ sources }: PageRoute, language: Language): string[] {
  const areas = new Set(['common', ...sources.map((source) => dirname(source))]);
  return [...sources, ...[...areas].map((area) => `messages/${language}/${area}.json`)];
}
