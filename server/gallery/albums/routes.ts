/**
 * Defines the routes that create, list, change, delete and download albums. The file photos/routes.ts has the
 * routes for their photos.
 */

import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import type { App } from '../../platform/http/app.ts';
import { getBaseUrl } from '../../platform/http/base-url.ts';
import { done, doneWith, pageSchema } from '../../platform/http/envelope.ts';
import { idParams } from '../../platform/http/schema.ts';
import { endpoints } from '../identity/endpoints.ts';
import { getVisibleAlbum, isSmart } from '../library/albums.ts';
import { createSendArchive } from './archive/archive.ts';
import { createSaveSelection, createSendSelection, selectionLifetime } from './archive/selection.ts';
import { testRule } from './archive/smart-album-photos.ts';
import { createAlbum } from './create.ts';
import { readAlbum, readAlbumItem } from './detail.ts';
import { listAlbums } from './list.ts';
import { albumPhotoRoutes } from './photos/routes.ts';
import * as schema from './schema.ts';
import { deleteAlbum, updateAlbum } from './update.ts';

const params = idParams('album');

export async function albumRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Albums');
  const sendArchive = createSendArchive(deps);
  const select = createSaveSelection(deps);
  const sendSelection = createSendSelection(deps);

  api.get('/api/albums', {
    auth: 'optional',
    operationId: 'listAlbums',
    summary: 'List albums',
    description: "Public albums; with a token also the caller's private ones. Admins see all albums.",
    querystring: schema.ListQuery,
    answer: pageSchema(schema.Album),
    refusals: ['albumNotFound', 'albumForbidden'],
    handler: ({ viewer, query }) => listAlbums(deps, viewer, query),
  });

  api.post('/api/albums', {
    auth: 'required',
    operationId: 'createAlbum',
    summary: 'Create an album',
    description:
      'It belongs to the caller and is empty. An album inside a private one is hidden. With a `rule` it is a smart album: ' +
      'its photos are what the rule finds, and nothing can be put into it (30004).',
    body: schema.NewAlbum,
    answer: schema.Album,
    refusals: ['albumNotFound', 'albumForbidden', 'albumNesting', 'albumIsSmart'],
    handler: async (request) => {
      const { viewer } = request;
      const id = await createAlbum(deps, viewer, request.body);
      return doneWith('Album created', await readAlbumItem(deps, viewer, id));
    },
  });

  api.get('/api/albums/:id', {
    auth: 'optional',
    operationId: 'getAlbum',
    summary: 'Get an album',
    description: 'With the albums above it and, as far as the caller may see them, those in it.',
    params,
    answer: schema.AlbumDetail,
    refusals: ['albumNotFound', 'albumForbidden'],
    handler: ({ viewer, params }) => readAlbum(deps, viewer, params.id),
  });

  api.put('/api/albums/:id', {
    auth: 'required',
    operationId: 'updateAlbum',
    summary: 'Update an album',
    description:
      'Fields that are left out keep their values. Making an album private hides all photos and albums in it; ' +
      'making it public shows those that are public themselves.',
    params,
    body: schema.AlbumUpdate,
    answer: schema.AlbumDetail,
    refusals: ['albumNotFound', 'albumForbidden', 'albumNesting', 'albumIsSmart'],
    handler: async (request) => {
      const { viewer } = request;
      await updateAlbum(deps, viewer, request.params.id, request.body);
      return doneWith('Album saved', await readAlbum(deps, viewer, request.params.id));
    },
  });

  api.delete('/api/albums/:id', {
    auth: 'required',
    operationId: 'deleteAlbum',
    summary: 'Delete an album',
    description:
      'Its photos stay without an album, and albums in it move up. What was hidden only by this album becomes ' +
      'visible.',
    params,
    refusals: ['albumNotFound', 'albumForbidden'],
    handler: async (request) => {
      await deleteAlbum(deps, request.viewer, request.params.id);
      return done('Album deleted');
    },
  });

  albumPhotoRoutes(app, deps);

  api.get('/api/albums/:id/download', {
    auth: 'optional',
    config: { produces: ['application/zip'] },
    operationId: 'downloadAlbum',
    summary: 'Download an album as a ZIP',
    description:
      'The photos that the caller may see, in their order, with inner albums as folders. Owners get the bytes ' +
      'that they uploaded, others get copies without metadata; originals count as downloads. The archive is made ' +
      'while it is sent, without `Content-Length`; when a file is missing, or the session ends, the connection is ' +
      'closed early, so an archive that ends properly is complete. At most two at once for a user, six for an ' +
      'address (two without a token). Smart albums in it are left out: a photo is in it once. Of a smart album it ' +
      'has what the rule found when it began, the newest first.',
    params,
    querystring: schema.ArchiveQuery,
    refusals: ['albumNotFound', 'albumForbidden', 'busy'],
    handler: async (request, reply) => {
      const { viewer, params, query } = request;
      const album = await getVisibleAlbum(deps, viewer, params.id);
      if (isSmart(album)) await testRule(deps, viewer, album);
      return sendArchive(request, reply, {
        album,
        kind: query.kind,
        caller: callerKey(viewer, request),
        isDeep: true,
        getAudience: async () => {
          await request.confirmViewer();
          return { seer: request.viewer, reader: request.viewer };
        },
      });
    },
  });

  api.post('/api/photos/archive', {
    auth: 'required',
    operationId: 'makeArchive',
    summary: 'Make a ZIP of chosen photos',
    description:
      'Answers a URL for a browser to follow, good for five minutes and for who has it, as long as the session or API ' +
      'key lasts that asked for it. The archive is as that of an album.',
    body: schema.NewSelection,
    answer: schema.MadeSelection,
    refusals: ['busy'],
    handler: async (request) => {
      const token = await select(request.viewer, request.body);
      const url = `${getBaseUrl(request, deps.config)}/api/photos/archive/${token}`;
      return doneWith('The archive is ready', { url, expires_in: selectionLifetime });
    },
  });

  api.get('/api/photos/archive/:token', {
    auth: 'none',
    config: { produces: ['application/zip'] },
    operationId: 'downloadArchive',
    summary: 'Download a ZIP of chosen photos',
    description: 'By the URL that making it answered. What its maker may see no longer is left out.',
    params: schema.SelectionParams,
    refusals: ['notFound', 'busy'],
    handler: (request, reply) => sendSelection(request.params.token, request, reply),
  });
}
