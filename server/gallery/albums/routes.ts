/**
 * Defines the routes that create, list, change, delete and download albums. The file photos/routes.ts has the
 * routes for their photos.
 */

import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import type { App } from '../../platform/http/app.ts';
import { getBaseUrl } from '../../platform/http/base-url.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../platform/http/envelope.ts';
import { idParams } from '../../platform/http/schema.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { getVisibleAlbum, isSmartAlbum } from '../library/albums.ts';
import { createSendAlbumArchive } from './archive/archive.ts';
import {
  archiveLinkLifetime,
  createSaveArchiveSelection,
  createSendSelectedPhotos,
} from './archive/selection.ts';
import { testSmartAlbumRule } from './archive/smart-album-photos.ts';
import { createAlbum } from './create.ts';
import { readAlbum, readAlbumListItem } from './detail.ts';
import { listAlbums } from './list.ts';
import { albumPhotoRoutes } from './photos/routes.ts';
import * as schema from './schema.ts';
import { deleteAlbum, updateAlbum } from './update.ts';

const params = idParams('album');

export async function albumRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Albums');
  const sendArchive = createSendAlbumArchive(deps);
  const select = createSaveArchiveSelection(deps);
  const sendSelection = createSendSelectedPhotos(deps);

  api.get('/api/albums', {
    auth: 'optional',
    operationId: 'listAlbums',
    summary: 'List albums',
    description: "Lists public albums; with a token also albums for members and the caller's own.",
    querystring: schema.AlbumListQuery,
    answer: listPageSchema(schema.Album),
    refusals: ['albumNotFound', 'albumForbidden'],
    handler: ({ viewer, query }) => listAlbums(deps, viewer, query),
  });

  api.post('/api/albums', {
    auth: 'required',
    operationId: 'createAlbum',
    summary: 'Create an album',
    description:
      'The album belongs to the caller and is empty. An album inside a private one is hidden. With ' +
      '`rule` it is a smart album: it contains the photos that the rule finds, and no photo can be ' +
      'added (30004).',
    body: schema.NewAlbum,
    answer: schema.Album,
    refusals: ['albumNotFound', 'albumForbidden', 'albumNesting', 'albumIsSmart'],
    handler: async (request) => {
      const { viewer } = request;
      const id = await createAlbum(deps, viewer, request.body);
      return resultResponse('Album created', await readAlbumListItem(deps, viewer, id));
    },
  });

  api.get('/api/albums/:id', {
    auth: 'optional',
    operationId: 'getAlbum',
    summary: 'Get an album',
    description: 'Includes its parent albums, and the child albums that the caller can see.',
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
      'Fields that are left out keep their values. Making an album private hides all photos and ' +
      'albums in it. Making it public shows those that are public themselves.',
    params,
    body: schema.AlbumUpdate,
    answer: schema.AlbumDetail,
    refusals: ['albumNotFound', 'albumForbidden', 'albumNesting', 'albumIsSmart'],
    handler: async (request) => {
      const { viewer } = request;
      await updateAlbum(deps, viewer, request.params.id, request.body);
      return resultResponse('Album saved', await readAlbum(deps, viewer, request.params.id));
    },
  });

  api.delete('/api/albums/:id', {
    auth: 'required',
    operationId: 'deleteAlbum',
    summary: 'Delete an album',
    description:
      'The photos stay, and child albums move up one level. Photos and child albums keep the visibility ' +
      'that they had in the album.',
    params,
    refusals: ['albumNotFound', 'albumForbidden'],
    handler: async (request) => {
      await deleteAlbum(deps, request.viewer, request.params.id);
      return messageResponse('Album deleted');
    },
  });

  albumPhotoRoutes(app, deps);

  api.get('/api/albums/:id/download', {
    auth: 'optional',
    config: { produces: ['application/zip'] },
    operationId: 'downloadAlbum',
    summary: 'Download an album as a ZIP',
    description:
      'Contains the photos that the caller can see, in album order, with child albums as folders. ' +
      'Owners get the original bytes; others get copies without metadata. Originals count as ' +
      'downloads. The archive is created while it is sent, without `Content-Length`. If a file is ' +
      'missing or the session ends, the connection is closed early, so an archive that ends ' +
      'properly is complete. A user can download two archives at the same time, an address six (two ' +
      'without a token). Smart child albums are left out. A photo that two of the albums contain is ' +
      'in the archive twice. The archive of a smart album contains the photos that its rule found at the start, ' +
      'newest first.',
    params,
    querystring: schema.ArchiveQuery,
    refusals: ['albumNotFound', 'albumForbidden', 'busy'],
    handler: async (request, reply) => {
      const { viewer, params, query } = request;
      const album = await getVisibleAlbum(deps, viewer, params.id);
      if (isSmartAlbum(album)) await testSmartAlbumRule(deps, viewer, album);
      return sendArchive(request, reply, {
        album,
        kind: query.kind,
        caller: callerKey(viewer, request),
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
    summary: 'Create a ZIP of selected photos',
    description:
      'Returns a URL from which anyone can download the ZIP. The download must begin within five ' +
      'minutes. The URL stops working when the session or API key of this request ends. The archive ' +
      'has the same form as that of an album.',
    body: schema.NewArchive,
    answer: schema.CreatedArchive,
    refusals: ['busy'],
    handler: async (request) => {
      const token = await select(request.viewer, request.body);
      const url = `${getBaseUrl(request, deps.config)}/api/photos/archive/${token}`;
      return resultResponse('Archive ready for download', { url, expires_in: archiveLinkLifetime });
    },
  });

  api.get('/api/photos/archive/:token', {
    auth: 'none',
    config: { produces: ['application/zip'] },
    operationId: 'downloadArchive',
    summary: 'Download a ZIP of selected photos',
    description:
      'Uses the URL that `POST /api/photos/archive` returned. Photos that its creator can no longer ' +
      'see are left out.',
    params: schema.ArchiveParams,
    refusals: ['notFound', 'busy'],
    handler: (request, reply) => sendSelection(request.params.token, request, reply),
  });
}
