/** Albums: made, found, changed, deleted. What is in them: photo-routes.ts. */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import {
  dataAnswer,
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  pageAnswer,
  writeAnswer,
} from '../../platform/http/envelope.ts';
import { idParams } from '../../platform/http/schema.ts';
import { viewerOf } from '../accounts/access.ts';
import { createSearchMover } from '../library/search-moves.ts';
import { archiveRoutes } from './archive/routes.ts';
import { createAlbum } from './create.ts';
import { deleteAlbum } from './delete.ts';
import { readAlbum, readAlbumItem } from './detail.ts';
import { listAlbums } from './list.ts';
import { albumPhotoRoutes } from './photos/routes.ts';
import * as schema from './schema.ts';
import { updateAlbum } from './update.ts';

const tags = ['Albums'];
const params = idParams('album');
const signedIn = ['unauthenticated', 'badToken'] as const;
const onAlbum = ['invalid', 'albumNotFound', 'albumForbidden'] as const;

export async function albumRoutes(app: App, deps: Deps): Promise<void> {
  const searchMover = createSearchMover(deps);
  // What a stop left undone.
  app.addHook('onListen', async () => searchMover.start());
  app.addHook('onClose', () => searchMover.stop());

  app.get(
    '/api/albums',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listAlbums',
        tags,
        summary: 'List albums',
        description: "Public albums; with a token also the caller's private ones. Admins see all albums.",
        querystring: schema.ListQuery,
        response: { 200: pageAnswer(schema.Album), ...failures(...onAlbum, 'badToken') },
      },
    },
    async ({ viewer, query }) => ok(await listAlbums(deps, viewer, query)),
  );

  app.post(
    '/api/albums',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'createAlbum',
        tags,
        summary: 'Create an album',
        description: 'It belongs to the caller and is empty. An album inside a private one is hidden.',
        body: schema.NewAlbum,
        response: {
          200: writeAnswer(schema.Album),
          ...failures(...onAlbum, 'albumNesting', ...signedIn),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const id = await createAlbum(deps, viewer, request.body);
      return doneWith('Album created', await readAlbumItem(deps, viewer, id));
    },
  );

  app.get(
    '/api/albums/:id',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'getAlbum',
        tags,
        summary: 'Get an album',
        description: 'With the albums above it and, as far as the caller may see them, those in it.',
        params,
        response: { 200: dataAnswer(schema.AlbumDetail), ...failures(...onAlbum, 'badToken') },
      },
    },
    async ({ viewer, params }) => ok(await readAlbum(deps, viewer, params.id)),
  );

  app.put(
    '/api/albums/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'updateAlbum',
        tags,
        summary: 'Update an album',
        description:
          'Fields that are left out keep their values. Making an album private hides all photos and albums in it; ' +
          'making it public shows those that are public themselves.',
        params,
        body: schema.AlbumUpdate,
        response: {
          200: writeAnswer(schema.AlbumDetail),
          ...failures(...onAlbum, 'albumNesting', ...signedIn),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      await updateAlbum(deps, viewer, request.params.id, request.body);
      searchMover.start();
      return doneWith('Album saved', await readAlbum(deps, viewer, request.params.id));
    },
  );

  app.delete(
    '/api/albums/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'deleteAlbum',
        tags,
        summary: 'Delete an album',
        description:
          'Its photos stay without an album, and albums in it move up. What was hidden only by this album becomes ' +
          'visible.',
        params,
        response: { 200: messageAnswer, ...failures(...onAlbum, ...signedIn) },
      },
    },
    async (request) => {
      await deleteAlbum(deps, viewerOf(request), request.params.id);
      searchMover.start();
      return done('Album deleted');
    },
  );

  albumPhotoRoutes(app, deps, searchMover);
  archiveRoutes(app, deps);
}
