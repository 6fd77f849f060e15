/**
 * All routes of the site. Each page is loaded on demand; the server has the same paths
 * (gallery/pages/pages.ts).
 */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { App, NotFound, PageFailed } from './app.tsx';
import { readReturnAndProblem, readReturnPath, readSignInProblem } from './auth/sign-in-query.ts';
import { loadWithTexts } from './messages/messages.ts';
import { readSearchAddress } from './search/address.ts';
import { buildQueryString, parseQueryString } from './search/query-string.ts';

const root = createRootRoute({ component: App, notFoundComponent: NotFound, errorComponent: PageFailed });

/** Creates the route of a page without parameters of the query. */
const rootPage = <const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
) => createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) });

const viewer = lazyRouteComponent(
  loadWithTexts(() => import('./viewer/page-viewer.tsx'), 'viewer'),
  'ViewerPage',
);

const home = createRoute({
  getParentRoute: () => root,
  id: 'home',
  component: lazyRouteComponent(() => import('./photos/page-home.tsx'), 'HomePage'),
});
const homeWall = createRoute({ getParentRoute: () => home, path: '/' });
const homePhoto = createRoute({ getParentRoute: () => home, path: '/photos/$photoId', component: viewer });

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: readSearchAddress,
  component: lazyRouteComponent(
    loadWithTexts(() => import('./search/page-search.tsx'), 'search'),
    'SearchPage',
  ),
});
const searchPhoto = createRoute({ getParentRoute: () => search, path: 'photos/$photoId', component: viewer });

const person = rootPage(
  '/users/$name',
  loadWithTexts(() => import('./users/page-person.tsx'), 'users'),
  'PersonPage',
);
const personPhoto = createRoute({ getParentRoute: () => person, path: 'photos/$photoId', component: viewer });

const loadFollows = loadWithTexts(() => import('./users/page-follows.tsx'), 'users');
const followers = lazyRouteComponent(loadFollows, 'FollowersPage');
const following = lazyRouteComponent(loadFollows, 'FollowingPage');
const follows = [
  createRoute({ getParentRoute: () => root, path: '/users/$name/followers', component: followers }),
  createRoute({ getParentRoute: () => root, path: '/users/$name/following', component: following }),
] as const;

const personAlbums = rootPage(
  '/users/$name/albums',
  loadWithTexts(() => import('./albums/page-person-albums.tsx'), 'albums'),
  'PersonAlbumsPage',
);
const loadAlbums = loadWithTexts(() => import('./albums/page-albums.tsx'), 'albums');
const albums = createRoute({
  getParentRoute: () => root,
  path: '/albums',
  component: lazyRouteComponent(loadAlbums, 'AlbumsPage'),
});
const album = rootPage(
  '/albums/$albumId',
  loadWithTexts(() => import('./albums/page-album.tsx'), 'albums'),
  'AlbumPage',
);
const loadAddPhotos = loadWithTexts(() => import('./albums/page-add-photos.tsx'), 'albums', 'selection');
const addPhotos = createRoute({
  getParentRoute: () => root,
  path: '/albums/$albumId/add',
  component: lazyRouteComponent(loadAddPhotos, 'AddPhotosPage'),
});
const albumPhoto = createRoute({ getParentRoute: () => album, path: 'photos/$photoId', component: viewer });

const explore = rootPage(
  '/explore',
  loadWithTexts(() => import('./explore/page-explore.tsx'), 'explore', 'albums'),
  'ExplorePage',
);
const loadDirectory = loadWithTexts(
  () => import('./explore/page-directory.tsx'),
  'explore',
  'albums',
  'users',
);
const allAlbums = rootPage('/explore/albums', loadDirectory, 'AllAlbumsPage');
const allPeople = rootPage('/explore/people', loadDirectory, 'PeoplePage');
const loadSharedPhotos = loadWithTexts(() => import('./explore/page-shared-photos.tsx'), 'explore');
const recent = rootPage('/explore/recent', loadSharedPhotos, 'RecentPhotosPage');
const recentPhoto = createRoute({ getParentRoute: () => recent, path: 'photos/$photoId', component: viewer });
const liked = rootPage('/explore/liked', loadSharedPhotos, 'LikedPhotosPage');
const likedPhoto = createRoute({ getParentRoute: () => liked, path: 'photos/$photoId', component: viewer });

const favorites = createRoute({
  getParentRoute: () => root,
  path: '/favorites',
  component: lazyRouteComponent(() => import('./photos/page-own.tsx'), 'FavoritesPage'),
});
const favoritesPhoto = createRoute({
  getParentRoute: () => favorites,
  path: 'photos/$photoId',
  component: viewer,
});

const feed = createRoute({
  getParentRoute: () => root,
  path: '/feed',
  component: lazyRouteComponent(() => import('./photos/page-own.tsx'), 'FeedPage'),
});
const feedPhoto = createRoute({ getParentRoute: () => feed, path: 'photos/$photoId', component: viewer });

const trash = createRoute({
  getParentRoute: () => root,
  path: '/trash',
  component: lazyRouteComponent(() => import('./photos/page-trash.tsx'), 'TrashPage'),
});
const trashPhoto = createRoute({ getParentRoute: () => trash, path: 'photos/$photoId', component: viewer });

const importPage = rootPage(
  '/import',
  loadWithTexts(() => import('./import/page-import.tsx'), 'import', 'upload', 'visibility'),
  'ImportPage',
);

const notifications = rootPage(
  '/notifications',
  loadWithTexts(() => import('./notifications/page-notifications.tsx'), 'notifications'),
  'NotificationsPage',
);

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: { to?: string; problem?: string }): { to?: string; problem?: string } =>
    readReturnAndProblem(search),
  component: lazyRouteComponent(
    loadWithTexts(() => import('./auth/page-sign-in.tsx'), 'auth'),
    'SignInPage',
  ),
});
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: readReturnPath,
  component: lazyRouteComponent(
    loadWithTexts(() => import('./auth/page-register.tsx'), 'auth'),
    'RegisterPage',
  ),
});
const forgot = rootPage(
  '/forgot',
  loadWithTexts(() => import('./auth/page-forgot.tsx'), 'auth'),
  'ForgotPasswordPage',
);
const reset = rootPage(
  '/reset',
  loadWithTexts(() => import('./auth/page-reset.tsx'), 'auth'),
  'ResetPasswordPage',
);
const confirmEmail = rootPage(
  '/confirm-email',
  loadWithTexts(() => import('./auth/page-confirm-email.tsx'), 'auth'),
  'ConfirmEmailPage',
);
const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$token',
  validateSearch: readSignInProblem,
  component: lazyRouteComponent(
    loadWithTexts(() => import('./auth/page-join.tsx'), 'auth'),
    'JoinByInvitePage',
  ),
});

const signedIn = rootPage(
  '/signed-in',
  loadWithTexts(() => import('./session/page-signed-in.tsx'), 'session'),
  'SignedInPage',
);
const firstRun = createRoute({
  getParentRoute: () => root,
  path: '/first-run',
  validateSearch: readSignInProblem,
  component: lazyRouteComponent(
    loadWithTexts(() => import('./first-run/page-first-run.tsx'), 'first-run', 'auth'),
    'FirstRunPage',
  ),
});
const settings = rootPage(
  '/settings',
  loadWithTexts(() => import('./settings/page-profile.tsx'), 'settings', 'visibility'),
  'ProfilePage',
);
const ownAccount = rootPage(
  '/settings/account',
  loadWithTexts(() => import('./settings/page-account.tsx'), 'settings'),
  'AccountPage',
);
const security = createRoute({
  getParentRoute: () => root,
  path: '/settings/security',
  validateSearch: readSignInProblem,
  component: lazyRouteComponent(
    loadWithTexts(() => import('./security/page-security.tsx'), 'settings', 'security'),
    'SecurityPage',
  ),
});
const keys = rootPage(
  '/settings/keys',
  loadWithTexts(() => import('./api-keys/page-api-keys.tsx'), 'settings', 'api-keys'),
  'ApiKeysPage',
);
const shares = rootPage(
  '/shares',
  loadWithTexts(() => import('./shares/page-shares.tsx'), 'shares'),
  'SharesPage',
);
const webhooks = rootPage(
  '/settings/webhooks',
  loadWithTexts(() => import('./webhooks/page-webhooks.tsx'), 'settings', 'webhooks'),
  'WebhooksPage',
);

const admin = rootPage(
  '/admin',
  loadWithTexts(() => import('./admin/page-admin.tsx'), 'admin'),
  'AdminPage',
);
const adminPage = <const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
) => createRoute({ getParentRoute: () => admin, path, component: lazyRouteComponent(load, name) });
const adminPages = [
  adminPage('/', () => import('./admin/page-figures.tsx'), 'GalleryStatsPage'),
  adminPage('reports', () => import('./admin/page-reports.tsx'), 'AdminReportsPage'),
  adminPage('users', () => import('./admin/page-users.tsx'), 'AdminUsersPage'),
  adminPage('invites', () => import('./admin/page-invites.tsx'), 'AdminInvitesPage'),
  adminPage('photos', () => import('./admin/page-photos.tsx'), 'AdminPhotosPage'),
  adminPage('comments', () => import('./admin/page-comments.tsx'), 'AdminCommentsPage'),
  adminPage(
    'site',
    loadWithTexts(() => import('./admin/page-site.tsx'), 'visibility'),
    'SiteSettingsPage',
  ),
  adminPage('log', () => import('./admin/page-log.tsx'), 'AuditLogPage'),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    home.addChildren([homeWall, homePhoto]),
    search.addChildren([searchPhoto]),
    person.addChildren([personPhoto]),
    explore,
    allAlbums,
    allPeople,
    recent.addChildren([recentPhoto]),
    liked.addChildren([likedPhoto]),
    favorites.addChildren([favoritesPhoto]),
    feed.addChildren([feedPhoto]),
    trash.addChildren([trashPhoto]),
    album.addChildren([albumPhoto]),
    ...follows,
    ...[albums, personAlbums, addPhotos, importPage, notifications],
    ...[settings, ownAccount, security, keys, webhooks, shares],
    ...[signIn, register, join, forgot, reset, confirmEmail, signedIn, firstRun],
    admin.addChildren(adminPages),
  ]),
  parseSearch: parseQueryString,
  stringifySearch: buildQueryString,
  defaultPreload: 'intent',
  // A wall restores its own position; every other page starts at the top (ui/page.tsx).
  scrollRestoration: () => false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The history entry before this one is the page that the viewer or the choice of photos closes to. */
    isOverWall?: boolean;
    /** Index of the viewer's photo in the list, so that a reload loads only the photos around this index. */
    place?: number;
  }
}
