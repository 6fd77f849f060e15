/** Users: search, home pages, followers, favorites. The feed has a file of its own. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { dataAnswer, doneWith, failures, ok, pageAnswer, writeAnswer } from '../../platform/http/envelope.ts';
import { paginationOf, windowOf } from '../../platform/http/pagination.ts';
import { viewerOf } from '../accounts/access.ts';
import { createReadHome, presentHome } from '../accounts/home.ts';
import { presentUser } from '../accounts/present-user.ts';
import { listAlbums } from '../albums/list.ts';
import { Album } from '../albums/schema.ts';
import { createListPhotos } from '../photos/list/list.ts';
import { PhotoItem } from '../photos/schema.ts';
import { listFavorites } from './favorites.ts';
import { toggleFollow } from './follows/follows.ts';
import { createListFollows } from './follows/lists.ts';
import * as schema from './schema.ts';
import { findUsers, getShownUser } from './store.ts';

const tags = ['People'];
const params = schema.UserParams;
const signedIn = ['unauthenticated', 'badToken'] as const;

export async function userRoutes(app: App, deps: Deps): Promise<void> {
  const readHome = createReadHome(deps);
  const listFollows = createListFollows(deps);
  const listPhotos = createListPhotos(deps);

  app.get(
    '/api/users',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List users',
        description: 'Newest first; with a keyword, exact matches come first.',
        querystring: schema.UsersQuery,
        response: { 200: pageAnswer(schema.User), ...failures('invalid', 'badToken') },
      },
    },
    async ({ viewer, query }) => {
      const { users, total } = await findUsers(deps, viewer, query.keyword, windowOf(query));
      return ok({ list: users.map(presentUser), pagination: paginationOf(query, total) });
    },
  );

  app.get(
    '/api/users/:id',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Get a user',
        description: 'The figures count only what the caller may see.',
        params,
        response: { 200: dataAnswer(schema.UserHome), ...failures('invalid', 'badToken', 'userNotFound') },
      },
    },
    async ({ viewer, params }) => {
      const user = await getShownUser(deps, viewer, params.id);
      const { ties, stats } = await readHome(viewer, user);
      return ok(presentHome(user, ties, stats));
    },
  );

  app.get(
    '/api/users/:id/photos',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listUserPhotos',
        tags,
        summary: "List a user's photos",
        description: 'Those that the caller may see.',
        params,
        querystring: schema.PhotosQuery,
        response: {
          200: pageAnswer(PhotoItem),
          ...failures('invalid', 'userNotFound', 'albumNotFound', 'albumForbidden', ...signedIn),
        },
      },
    },
    async ({ viewer, params, query }) => {
      const { id } = await getShownUser(deps, viewer, params.id);
      return ok(await listPhotos(viewer, { ...query, user_id: id }));
    },
  );

  app.get(
    '/api/users/:id/albums',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listUserAlbums',
        tags,
        summary: "List a user's albums",
        description: 'Those that the caller may see.',
        params,
        querystring: schema.UserAlbumsQuery,
        response: {
          200: pageAnswer(Album),
          ...failures('invalid', 'badToken', 'userNotFound', 'albumNotFound', 'albumForbidden'),
        },
      },
    },
    async ({ viewer, params, query }) => {
      const { id } = await getShownUser(deps, viewer, params.id);
      return ok(await listAlbums(deps, viewer, { ...query, user_id: id }));
    },
  );

  for (const which of ['followers', 'following'] as const) {
    app.get(
      `/api/users/:id/${which}`,
      {
        config: { auth: 'optional' },
        schema: {
          operationId: which === 'followers' ? 'listFollowers' : 'listFollowing',
          tags,
          summary: which === 'followers' ? "List a user's followers" : 'List the users that a user follows',
          description: 'Latest first.',
          params,
          querystring: schema.PageQuery,
          response: { 200: pageAnswer(schema.User), ...failures('invalid', 'badToken', 'userNotFound') },
        },
      },
      async ({ viewer, params, query }) =>
        ok(await listFollows(await getShownUser(deps, viewer, params.id), which, query)),
    );
  }

  app.get(
    '/api/users/:id/favorites',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'listFavorites',
        tags,
        summary: 'List my favorites',
        description: 'Latest first. Only admins see the favorites of other users.',
        params,
        querystring: schema.PageQuery,
        response: {
          200: pageAnswer(PhotoItem),
          ...failures('invalid', 'forbidden', 'userNotFound', ...signedIn),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const { id } = await getShownUser(deps, viewer, request.params.id);
      return ok(await listFavorites(deps, viewer, id, request.query));
    },
  );

  app.post(
    '/api/users/:id/follow',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'followUser',
        tags,
        summary: 'Follow or unfollow a user',
        description: 'Each call toggles it; the answer has the new state.',
        params,
        response: {
          200: writeAnswer(schema.Followed),
          ...failures('invalid', 'userNotFound', 'followSelf', ...signedIn),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const { id } = await getShownUser(deps, viewer, request.params.id);
      const { isFollowing, followers } = await toggleFollow(deps, viewer, id);
      const message = isFollowing ? 'Followed' : 'No longer followed';
      return doneWith(message, { is_following: isFollowing, followers });
    },
  );
}
