/**
 * All API responses that can show a photo, and the endpoints that cannot. A new GET endpoint needs an entry
 * here, or its own test file with `testPlaces`.
 */
import { albumSorts } from '../../../server/gallery/albums/schema.ts';
import { photoSortNames } from '../../../server/gallery/photos/schema.ts';
import type { Answer } from '../../support/people.ts';
import { mentions, type Role, type Scene, type State } from './privacy.ts';

export interface PhotoPlace {
  /** A GET operation of openapi.json, such as `GET /api/photos/{id}`. */
  endpoint: string;
  path(scene: Scene): string;
  /**
   * Tells whether the response shows the photo to the role in this state. Undefined: the test does not check.
   */
  shows(state: State, role: Role): boolean | undefined;
  /**
   * Tells whether a response shows the photo. Without this function, the test searches the response for the
   * photo's texts and id.
   */
  found?(scene: Scene, answer: Answer): boolean;
}

type Shows = PhotoPlace['shows'];

/** Expectations for the photo itself, its images, and an album that the role opens: an admin sees all. */
export const asPhoto: Shows = (state, role) =>
  asListed(state, role) || (state === 'hidden' && role === 'admin');
/** Expectations for lists, searches, counts and suggestions: an admin sees what every member sees. */
export const asListed: Shows = (state, role) =>
  asMember(state, role) || (state === 'hidden' && role === 'owner');
/** Tells whether the role sees the photo by its level alone. */
const asMember = (state: State, role: Role): boolean =>
  state === 'public' || (state === 'members' && role !== 'stranger');
const only =
  (...allowed: Role[]): Shows =>
  (state, role) =>
    state !== 'trashed' && allowed.includes(role);
const whileSeen =
  (...allowed: Role[]): Shows =>
  (state, role) =>
    asMember(state, role) && allowed.includes(role);
/**
 * Expectations for `is_public=1` on lists of one user or of followed users. The filter reads the photo's own level,
 * so roles that see the photo by more than the level public are not checked.
 */
const publicOnes: Shows = (state, role) => (state === 'public' ? true : asPhoto(state, role) && undefined);
/**
 * Expectations for `is_public=1` without other filters: a request with a token lists the user's own photos
 * only.
 */
const publicAlone: Shows = (state, role) =>
  role === 'stranger' || role === 'owner' ? publicOnes(state, role) : false;
/**
 * Expectations for `is_public=0`. The filter reads the photo's own level, so roles that see the photo while it is not
 * public are not checked.
 */
const notPublicOnes: Shows = (state, role) => state !== 'public' && asPhoto(state, role) && undefined;
/** Expectations for `is_public=0` without other filters: a request lists the user's own photos only. */
const notPublicAlone: Shows = (state, role) => role === 'owner' && notPublicOnes(state, role);
/**
 * Expectations for pages of a share link: everyone with the link sees the photo unless the photo is in the
 * trash.
 */
const shared: Shows = (state) => state !== 'trashed';
const sharedByFan: Shows = (state) => state === 'public';
/**
 * Expectations for images. The trash shows its owner thumbnails, so the owner's access to images of a trashed
 * photo is not checked.
 */
const image: Shows = (state, role) =>
  state === 'trashed' && role === 'owner' ? undefined : asPhoto(state, role);
const isSent = (_: Scene, { status }: Answer) => status === 200;

/** Returns the filters of photos, each with the expectations in a list that shows the photo by `shows`. */
const createFilters = (shows: Shows): [string, Shows][] => [
  ...photoSortNames.flatMap((sort) =>
    ['asc', 'desc'].map((order): [string, Shows] => [
      `sort=${sort}&order=${order}${sort === 'relevance' ? '&q=TITLE' : ''}`,
      shows,
    ]),
  ),
  ['date_from=2000-01-01&date_to=2100-01-01', shows],
  ['tag=common', shows],
  ['keyword=TITLE', shows],
  ['keyword=ti', shows],
  ['q=TITLE', shows],
  ['q=tag:common -nothing', shows],
  ['q=is:private', (state, role) => state === 'hidden' && shows(state, role)],
  ['q=is:members', (state, role) => state === 'members' && shows(state, role)],
  ['q=is:public', (state) => state === 'public'],
];
const listed = (endpoint: string, base: (scene: Scene) => string, sorts: [string, Shows][]): PhotoPlace[] =>
  sorts.map(([query, shows]) => ({ endpoint, path: (scene) => `${base(scene)}?limit=100&${query}`, shows }));

const list = '/api/photos?limit=100';
const albumQueries = albumSorts.map((sort): [string, Shows] => [`sort=${sort}`, asListed]);

export const places: PhotoPlace[] = [
  ...listed('/api/photos', () => '/api/photos', [
    ['is_public=1', publicAlone],
    ['is_public=0', notPublicAlone],
    ...createFilters(asListed),
  ]),
  { endpoint: '/api/photos', path: ({ people }) => `${list}&user_id=${people.owner.id}`, shows: asListed },
  { endpoint: '/api/photos', path: ({ album }) => `${list}&album_id=${album}`, shows: asPhoto },
  { endpoint: '/api/photos', path: ({ photo }) => `${list}&around=${photo}`, shows: asListed },
  { endpoint: '/api/photos', path: ({ tag }) => `${list}&tag=${tag}`, shows: asListed },
  { endpoint: '/api/photos', path: ({ tag }) => `${list}&keyword=${tag}`, shows: asListed },
  { endpoint: '/api/photos', path: ({ description }) => `${list}&keyword=${description}`, shows: asListed },
  { endpoint: '/api/photos/{id}', path: ({ photo }) => `/api/photos/${photo}`, shows: asPhoto },
  { endpoint: '/api/photos/{id}', path: ({ decoy }) => `/api/photos/${decoy}`, shows: () => false },
  { endpoint: '/api/tags', path: () => '/api/tags?limit=100', shows: asListed },
  { endpoint: '/api/tags', path: ({ tag }) => `/api/tags?keyword=${tag}`, shows: asListed },
  {
    endpoint: '/api/photos/{id}/download',
    path: ({ photo }) => `/api/photos/${photo}/download`,
    shows: (state, role) => role !== 'stranger' && asPhoto(state, role),
    found: isSent,
  },
  {
    endpoint: '/api/trash',
    path: () => '/api/trash',
    shows: (state, role) => state === 'trashed' && role === 'owner',
  },
  {
    endpoint: '/api/trash/{id}',
    path: ({ photo }) => `/api/trash/${photo}`,
    shows: (state, role) => state === 'trashed' && role === 'owner',
  },
  {
    endpoint: '/api/photos/{id}/edits',
    path: ({ photo }) => `/api/photos/${photo}/edits`,
    shows: only('owner', 'admin'),
    found: isSent,
  },
  {
    endpoint: '/api/photos/{id}/comments',
    path: ({ photo }) => `/api/photos/${photo}/comments`,
    shows: asPhoto,
  },
  {
    endpoint: '/api/comments/{id}/replies',
    path: ({ comment }) => `/api/comments/${comment}/replies`,
    shows: asPhoto,
  },
  ...listed('/api/albums', () => '/api/albums', albumQueries),
  {
    endpoint: '/api/albums',
    path: ({ people }) => `/api/albums?user_id=${people.owner.id}`,
    shows: asListed,
  },
  { endpoint: '/api/albums', path: ({ outer }) => `/api/albums?parent_id=${outer}`, shows: asPhoto },
  { endpoint: '/api/albums', path: () => '/api/albums?keyword=album', shows: asListed },
  { endpoint: '/api/albums/{id}', path: ({ album }) => `/api/albums/${album}`, shows: asPhoto },
  { endpoint: '/api/albums/{id}', path: ({ outer }) => `/api/albums/${outer}`, shows: asPhoto },
  { endpoint: '/api/albums/{id}', path: ({ smart }) => `/api/albums/${smart}`, shows: asPhoto },
  ...listed('/api/albums/{id}/photos', ({ smart }) => `/api/albums/${smart}/photos`, [
    ['', asPhoto],
    ['sort=title&tag=common&keyword=ti', asPhoto],
    ['q=is:private', (state, role) => state === 'hidden' && asPhoto(state, role)],
  ]),
  { endpoint: '/api/photos', path: ({ smart }) => `${list}&album_id=${smart}`, shows: asPhoto },
  { endpoint: '/api/photos', path: ({ smart }) => `${list}&q=album:${smart}`, shows: asListed },
  { endpoint: '/api/photos', path: ({ album }) => `${list}&q=album:${album}`, shows: asListed },
  ...listed('/api/albums/{id}/photos', ({ album }) => `/api/albums/${album}/photos`, [
    ['sort=position', asPhoto],
    ['is_public=1', publicOnes],
    ['is_public=0', notPublicOnes],
    ...createFilters(asPhoto),
  ]),
  ...['original', 'preview'].flatMap((kind) =>
    (['album', 'outer', 'smart'] as const).map(
      (which): PhotoPlace => ({
        endpoint: '/api/albums/{id}/download',
        path: (scene) => `/api/albums/${scene[which]}/download?kind=${kind}`,
        shows: asPhoto,
      }),
    ),
  ),
  ...listed('/api/users/{id}/photos', ({ people }) => `/api/users/${people.owner.id}/photos`, [
    ['is_public=1', publicOnes],
    ['is_public=0', notPublicOnes],
    ...createFilters(asListed),
  ]),
  ...listed('/api/users/{id}/albums', ({ people }) => `/api/users/${people.owner.id}/albums`, [
    ['', asListed],
  ]),
  {
    endpoint: '/api/users/{id}/favorites',
    path: ({ people }) => `/api/users/${people.owner.id}/favorites`,
    shows: (state, role) => only('owner', 'admin')(state, role) && asListed(state, role),
  },
  {
    endpoint: '/api/users/{id}/favorites',
    path: ({ people }) => `/api/users/${people.fan.id}/favorites`,
    shows: whileSeen('fan', 'admin'),
  },
  { endpoint: '/api/feed', path: () => '/api/feed', shows: whileSeen('fan') },
  ...['', '?unread=1'].map(
    (query): PhotoPlace => ({
      endpoint: '/api/notifications',
      path: () => `/api/notifications${query}`,
      shows: (state, role) => only('owner')(state, role) || whileSeen('fan')(state, role),
    }),
  ),
  {
    endpoint: '/api/shares',
    path: () => '/api/shares',
    shows: (state, role) => only('owner')(state, role) || whileSeen('fan')(state, role),
  },
  ...(['/api/shares/{share}', '/s/{token}'] as const).flatMap((endpoint) => {
    const base = endpoint.replace(/\{\w+\}/, '');
    return [
      { endpoint, path: ({ shares }: Scene) => base + shares.owner, shows: shared },
      { endpoint, path: ({ shares }: Scene) => base + shares.album, shows: shared },
      { endpoint, path: ({ shares }: Scene) => base + shares.fan, shows: sharedByFan },
      { endpoint, path: ({ shares }: Scene) => base + shares.smart, shows: sharedByFan },
    ];
  }),
  {
    endpoint: '/api/shares/{token}/download',
    path: ({ shares }) => `/api/shares/${shares.album}/download`,
    shows: shared,
  },
  {
    endpoint: '/api/shares/{token}/download',
    path: ({ shares }) => `/api/shares/${shares.smart}/download`,
    shows: sharedByFan,
  },
  ...['photos', 'photos?reported=1', 'comments', 'comments?keyword=comment', 'reports'].map(
    (list): PhotoPlace => ({
      endpoint: `/api/admin/${list.replace(/\?.*/, '')}`,
      path: () => `/api/admin/${list}`,
      shows: only('admin'),
    }),
  ),
  ...(['thumb', 'preview', 'path', 'small', 'large'] as const).map(
    (which): PhotoPlace => ({
      endpoint: '/storage/{name}',
      path: ({ paths }) => paths[which],
      shows: image,
      found: isSent,
    }),
  ),
  ...Array.from({ length: 10 }, (_, which) => which).map(
    (which): PhotoPlace => ({
      endpoint: '/storage/{name}',
      path: ({ signed }) => signed[which]!,
      // A signed URL gives the access of the user who got it, including the owner's access to trashed photos.
      shows: (state) => (state === 'trashed' ? undefined : true),
      found: isSent,
    }),
  ),
];

/** GET endpoints that cannot show a hidden photo, each with the reason. */
export const exempt: [RegExp, string][] = [
  [/^\/api\/auth\//, "one's own account"],
  [
    /^\/api\/photos\/archive\//,
    'behind a token that a POST makes: test/gallery/albums/selection.test.ts hides what is in it',
  ],
  [/^\/api\/site$/, 'what the gallery offers'],
  [
    /^\/api\/users(\/\{id\}(\/followers|\/following)?)?$/,
    'people and their counts, which a test of their own compares',
  ],
  [
    /^\/api\/admin\/(stats|users|logs|invites|settings|users\/\{id\}\/tokens)$/,
    'figures, accounts, acts, settings; test/contract/steps/rights.ts says that only admins get there',
  ],
  [/^\/api\/webhooks/, "what the owner's own photos caused"],
  [/^\/(health.*|metrics|openapi\.json|docs.*)$/, 'says nothing of photos'],
];

export function isFound(place: PhotoPlace, scene: Scene, answer: Answer): boolean {
  return (place.found ?? mentions)(scene, answer);
}
