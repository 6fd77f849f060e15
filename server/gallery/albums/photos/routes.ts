/** An album's photos: listed, put in and taken out, put in order. */

import type { Deps } from '../../../deps.ts';
import type { Job } from '../../../platform/concurrency/job.ts';
import type { App } from '../../../platform/http/app.ts';
import {
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  pageAnswer,
  writeAnswer,
} from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { viewerOf } from '../../accounts/access.ts';
import { createListPhotos } from '../../photos/list/list.ts';
import { Outcome, PhotoItem } from '../../photos/schema.ts';
import * as schema from '../schema.ts';
import { orderPhotos } from './order.ts';
import { addPhotos, removePhotos } from './photos.ts';

const tags = ['Albums'];
const params = idParams('album');
const signedIn = ['unauthenticated', 'badToken'] as const;
const onAlbum = ['invalid', 'albumNotFound', 'albumForbidden'] as const;

export function albumPhotoRoutes(app: App, deps: Deps, searchMover: Job): void {
  const listPhotos = createListPhotos(deps);

  app.get(
    '/api/albums/:id/photos',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listAlbumPhotos',
        tags,
        summary: "List an album's photos",
        description: "In the owner's order by default.",
        params,
        querystring: schema.PhotosQuery,
        response: {
          200: pageAnswer(PhotoItem),
          ...failures(...onAlbum, ...signedIn),
        },
      },
    },
    async ({ viewer, params, query }) => {
      const order = query.order ?? (query.sort === 'position' ? 'asc' : 'desc');
      return ok(await listPhotos(viewer, { ...query, order, album_id: params.id }));
    },
  );

  app.post(
    '/api/albums/:id/photos',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'addAlbumPhotos',
        tags,
        summary: 'Add photos to an album',
        description:
          "At its end, in the given order. Only photos of the album's owner can be added. A photo is in at most one " +
          'album, so it is removed from its previous one.',
        params,
        body: schema.PhotoIds,
        response: { 200: writeAnswer(Outcome), ...failures(...onAlbum, ...signedIn) },
      },
    },
    async (request) => {
      const outcome = await addPhotos(deps, viewerOf(request), request.params.id, request.body.ids);
      searchMover.start();
      return doneWith('Photos added', outcome);
    },
  );

  app.delete(
    '/api/albums/:id/photos',
    {
      config: { auth: 'required', hasOptionalBody: true },
      preValidation: async (request) => {
        request.body ??= schema.idsOf(request.query) as never;
      },
      schema: {
        operationId: 'removeAlbumPhotos',
        tags,
        summary: 'Remove photos from an album',
        description: 'They stay in the gallery. `ids` may also stand in the query, where there is no body.',
        params,
        querystring: schema.IdsQuery,
        body: schema.PhotoIds,
        response: { 200: writeAnswer(Outcome), ...failures(...onAlbum, ...signedIn) },
      },
    },
    async (request) => {
      const outcome = await removePhotos(deps, viewerOf(request), request.params.id, request.body.ids);
      searchMover.start();
      return doneWith('Photos taken out', outcome);
    },
  );

  app.put(
    '/api/albums/:id/order',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'orderAlbum',
        tags,
        summary: "Reorder an album's photos",
        description: 'The photos named share the places that they have; all others stay where they are.',
        params,
        body: schema.Order,
        response: { 200: messageAnswer, ...failures(...onAlbum, ...signedIn) },
      },
    },
    async (request) => {
      await orderPhotos(deps, viewerOf(request), request.params.id, request.body.ids);
      return done('Order saved');
    },
  );
}
