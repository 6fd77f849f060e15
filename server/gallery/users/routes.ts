/** Routes to search users and to read profiles, followers, favorites and the feed. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { listPageSchema, resultResponse } from '../../platform/http/envelope.ts';
import { createPagination, toRowWindow } from '../../platform/http/pagination.ts';
import { listAlbums } from '../albums/list.ts';
import { Album } from '../albums/schema.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { presentUser } from '../identity/present.ts';
import { createListPhotos } from '../photos/list/list.ts';
import { PhotoPage } from '../photos/list/schema.ts';
import { listFavorites } from './favorites.ts';
import { readFeed } from './feed.ts';
import { changeFollow, createListFollows } from './follows/follows.ts';
import { createReadProfile } from './profile.ts';
import * as schema from './schema.ts';
import { findUsers, getVisibleUser } from './store.ts';

const params = schema.UserParams;

export async function userRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'People');
  const readHome = createReadProfile(deps);
  const listFollows = createListFollows(deps);
  const listPhotos = createListPhotos(deps);

  api.get('/api/users', {
    auth: 'optional',
    operationId: 'listUsers',
    summary: 'List users',
    description: 'Newest first; with a keyword, exact matches first.',
    querystring: schema.UserSearchQuery,
    answer: listPageSchema(schema.User),
    handler: async ({ viewer, query }) => {
      const { users, total } = await findUsers(deps, viewer, query.keyword, toRowWindow(query));
      const signer = createViewerPathSigner(deps, viewer);
      const list = users.map((user) => presentUser(user, signer));
      return { list, pagination: createPagination(query, total) };
    },
  });

  api.get('/api/users/:id', {
    auth: 'optional',
    operationId: 'getUser',
    summary: 'Get a user',
    description: 'The numbers count only what the caller can see.',
    params,
    answer: schema.UserProfile,
    refusals: ['userNotFound'],
    handler: async ({ viewer, params }) => {
      return readHome(viewer, await getVisibleUser(deps, viewer, params.id));
    },
  });

  api.get('/api/users/:id/photos', {
    auth: 'optional',
    operationId: 'listUserPhotos',
    summary: "List a user's photos",
    description: 'Lists only photos that the caller can see.',
    params,
    querystring: schema.UserPhotosQuery,
    answer: PhotoPage,
    refusals: ['userNotFound', 'albumNotFound', 'albumForbidden', 'unauthenticated', 'photoNotFound'],
    handler: async ({ viewer, params, query }) => {
      const { id } = await getVisibleUser(deps, viewer, params.id);
      return listPhotos(viewer, { ...query, user_id: id });
    },
  });

  api.get('/api/users/:id/albums', {
    auth: 'optional',
    operationId: 'listUserAlbums',
    summary: "List a user's albums",
    description: 'Lists only albums that the caller can see.',
    params,
    querystring: schema.UserAlbumsQuery,
    answer: listPageSchema(Album),
    refusals: ['userNotFound', 'albumNotFound', 'albumForbidden'],
    handler: async ({ viewer, params, query }) => {
      const { id } = await getVisibleUser(deps, viewer, params.id);
      return listAlbums(deps, viewer, { ...query, user_id: id });
    },
  });

  for (const which of ['followers', 'following'] as const) {
    api.get(`/api/users/:id/${which}`, {
      auth: 'optional',
      operationId: which === 'followers' ? 'listFollowers' : 'listFollowing',
      summary: which === 'followers' ? "List a user's followers" : 'List the users that a user follows',
      description: 'Newest first.',
      params,
      querystring: schema.UserPageQuery,
      answer: listPageSchema(schema.FollowedUser),
      refusals: ['userNotFound'],
      handler: async ({ viewer, params, query }) =>
        await listFollows(viewer, await getVisibleUser(deps, viewer, params.id), which, query),
    });
  }

  api.get('/api/users/:id/favorites', {
    auth: 'required',
    operationId: 'listFavorites',
    summary: 'List my favorites',
    description: 'Newest first. Only admins see the favorites of other users.',
    params,
    querystring: schema.FavoritesQuery,
    answer: PhotoPage,
    refusals: ['forbidden', 'userNotFound'],
    handler: async (request) => {
      const { viewer } = request;
      const { id } = await getVisibleUser(deps, viewer, request.params.id);
      return listFavorites(deps, viewer, id, request.query);
    },
  });

  api.post('/api/users/:id/follow', {
    auth: 'required',
    operationId: 'followUser',
    summary: 'Follow or unfollow a user',
    description:
      'Each call toggles the state, unless `following` gives the new state. The response has the ' +
      'new state.',
    config: { hasOptionalBody: true },
    params,
    body: schema.SetFollowRequest,
    answer: schema.FollowResponse,
    refusals: ['userNotFound', 'followSelf'],
    handler: async (request) => {
      const { viewer } = request;
      const { id } = await getVisibleUser(deps, viewer, request.params.id);
      const { isFollowing, followers } = await changeFollow(deps, viewer, id, request.body.following);
      const message = isFollowing ? 'Followed' : 'Unfollowed';
      return resultResponse(message, { is_following: isFollowing, followers });
    },
  });

  api.get('/api/feed', {
    auth: 'required',
    operationId: 'getFeed',
    summary: 'List my feed',
    description: 'Lists public photos of the users that the caller follows, newest first.',
    querystring: schema.UserPageQuery,
    answer: PhotoPage,
    handler: ({ viewer, query }) => readFeed(deps, viewer, query),
  });
}
