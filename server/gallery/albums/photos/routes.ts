/** Defines the routes that list, add, remove and reorder the photos of an album. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { addPhotosToAlbum, removePhotosFromAlbum } from '../../photos/albums/add-and-remove.ts';
import { AddedPhotos, PhotoIdsRequest, PhotosToAdd } from '../../photos/albums/schema.ts';
import { createListPhotos } from '../../photos/list/list.ts';
import { PhotoPage } from '../../photos/list/schema.ts';
import { BatchOutcome } from '../../photos/schema.ts';
import * as schema from '../schema.ts';
import { storePhotoOrder } from './order.ts';

const params = idParams('album');

export function albumPhotoRoutes(app: App, deps: Deps): void {
  const api = createEndpointMethods(app, 'Albums');
  const listPhotos = createListPhotos(deps);

  api.get('/api/albums/:id/photos', {
    auth: 'optional',
    operationId: 'listAlbumPhotos',
    summary: "List an album's photos",
    description:
      "Sorted in the owner's order by default. A smart album lists the photos that its rule finds, " +
      'newest first. Refused with 503 if the rule takes too long.',
    params,
    querystring: schema.AlbumPhotosQuery,
    answer: PhotoPage,
    refusals: ['albumNotFound', 'albumForbidden', 'unauthenticated', 'photoNotFound'],
    handler: ({ viewer, params, query }) => listPhotos(viewer, { ...query, album_id: params.id }),
  });

  api.post('/api/albums/:id/photos', {
    auth: 'required',
    operationId: 'addAlbumPhotos',
    summary: 'Add photos to an album',
    description:
      "Appends the photos in the given order. Only photos of the album's owner can be added. The album " +
      'becomes the main album of photos without one. Other photos stay in their main album, and are ' +
      'added by reference. With `move`, they leave their main album.',
    params,
    body: PhotosToAdd,
    answer: AddedPhotos,
    refusals: ['albumNotFound', 'albumForbidden', 'albumIsSmart'],
    handler: async (request) => {
      const outcome = await addPhotosToAlbum(deps, request.viewer, request.params.id, request.body);
      return resultResponse('Photos added', outcome);
    },
  });

  api.delete('/api/albums/:id/photos', {
    auth: 'required',
    config: { hasOptionalBody: true },
    preValidation: async (request) => {
      request.body ??= schema.readBodyFromIdsQuery(request.query) as never;
    },
    operationId: 'removeAlbumPhotos',
    summary: 'Remove photos from an album',
    description:
      'The photos stay in the gallery and in other albums. `ids` can also be given in the query, for clients that ' +
      'cannot send a body.',
    params,
    querystring: schema.PhotoIdsQuery,
    body: PhotoIdsRequest,
    answer: BatchOutcome,
    refusals: ['albumNotFound', 'albumForbidden', 'albumIsSmart'],
    handler: async (request) => {
      const outcome = await removePhotosFromAlbum(deps, request.viewer, request.params.id, request.body.ids);
      return resultResponse('Photos removed', outcome);
    },
  });

  api.put('/api/albums/:id/order', {
    auth: 'required',
    operationId: 'orderAlbum',
    summary: "Reorder an album's photos",
    description:
      'The given photos are reordered among the positions that they have. All other photos keep ' +
      'their positions.',
    params,
    body: schema.PhotoOrderRequest,
    refusals: ['albumNotFound', 'albumForbidden', 'albumIsSmart'],
    handler: async (request) => {
      await storePhotoOrder(deps, request.viewer, request.params.id, request.body.ids);
      return messageResponse('Order saved');
    },
  });
}
