/** Upload, list, detail, update, delete, like, favorite, download. Edits have a file of their own. */

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
import { fileForm } from '../../platform/http/openapi.ts';
import { idParams } from '../../platform/http/schema.ts';
import { acceptForms } from '../../platform/http/upload-form.ts';
import { viewerOf } from '../accounts/access.ts';
import { createReadDetail } from './detail.ts';
import { createDownload, isDownload } from './download.ts';
import { editRoutes } from './edit/routes.ts';
import { toggleReaction } from './likes.ts';
import { createListPhotos } from './list/list.ts';
import { presentUploaded } from './present.ts';
import * as schema from './schema.ts';
import { trashPhoto } from './trash/trash.ts';
import { updatePhoto } from './update.ts';
import { uploadPhoto } from './upload/upload.ts';

const tags = ['Photos'];
const params = idParams('photo');
const signedIn = ['unauthenticated', 'badToken'] as const;
const onPhoto = ['invalid', 'photoNotFound', 'photoForbidden'] as const;

export async function photoRoutes(app: App, deps: Deps): Promise<void> {
  const listPhotos = createListPhotos(deps);
  const readDetail = createReadDetail(deps);
  const download = createDownload(deps);

  app.get(
    '/api/photos',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'listPhotos',
        tags,
        summary: 'List photos',
        description: "Public photos; with a token also one's own private ones. Admins see everything.",
        querystring: schema.ListQuery,
        response: {
          200: pageAnswer(schema.PhotoItem),
          ...failures('invalid', 'unauthenticated', 'badToken', 'albumNotFound', 'albumForbidden'),
        },
      },
    },
    async ({ viewer, query }) => ok(await listPhotos(viewer, query)),
  );

  app.get(
    '/api/photos/:id',
    {
      config: { auth: 'optional' },
      schema: {
        operationId: 'getPhoto',
        tags,
        summary: 'Photo detail',
        description: 'Counts one view.',
        params,
        response: { 200: dataAnswer(schema.Photo), ...failures(...onPhoto, 'badToken') },
      },
    },
    // A HEAD, which runs this handler too, is no view.
    async ({ viewer, params, method }) => ok(await readDetail(viewer, params.id, method === 'GET')),
  );

  app.put(
    '/api/photos/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'updatePhoto',
        tags,
        summary: 'Change a photo',
        description: 'Fields left out stay as they are.',
        params,
        body: schema.PhotoUpdate,
        response: {
          200: messageAnswer,
          ...failures(...onPhoto, ...signedIn, 'albumNotFound', 'albumForbidden'),
        },
      },
    },
    async (request) => {
      await updatePhoto(deps, viewerOf(request), request.params.id, request.body);
      return done('Photo saved');
    },
  );

  app.delete(
    '/api/photos/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'deletePhoto',
        tags,
        summary: 'Put a photo into the trash',
        description: 'It is gone from everywhere at once, and deleted for good after 30 days.',
        params,
        response: { 200: messageAnswer, ...failures(...onPhoto, ...signedIn) },
      },
    },
    async (request) => {
      await trashPhoto(deps, viewerOf(request), request.params.id);
      return done('Photo moved to the trash');
    },
  );

  app.post(
    '/api/photos/:id/like',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'likePhoto',
        tags,
        summary: 'Like a photo, or take the like back',
        description:
          'Each call turns it round; the answer says how it stands now. What is set can also be taken back from a photo that the caller sees no longer; its count is then not told, ' +
          'and 0 stands for it.',
        params,
        response: { 200: writeAnswer(schema.Liked), ...failures(...onPhoto, ...signedIn) },
      },
    },
    async (request) => {
      const { isSet, count } = await toggleReaction(deps, viewerOf(request), request.params.id, 'likes');
      return doneWith(isSet ? 'Liked' : 'Like taken back', { is_liked: isSet, likes: count });
    },
  );

  app.post(
    '/api/photos/:id/favorite',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'favoritePhoto',
        tags,
        summary: 'Add a photo to the favorites, or take it out',
        description:
          'Each call turns it round; the answer says how it stands now. What is set can also be taken back from a photo that the caller sees no longer; its count is then not told, ' +
          'and 0 stands for it.',
        params,
        response: { 200: writeAnswer(schema.Favorited), ...failures(...onPhoto, ...signedIn) },
      },
    },
    async (request) => {
      const { isSet, count } = await toggleReaction(deps, viewerOf(request), request.params.id, 'favorites');
      const message = isSet ? 'Added to the favorites' : 'Taken out of the favorites';
      return doneWith(message, { is_favorited: isSet, favorites: count });
    },
  );

  app.get(
    '/api/photos/:id/download',
    {
      config: { auth: 'required', produces: ['image/*'] },
      // Before the first byte: a client that has the file can read that its download was counted.
      onSend: async (request, reply) => {
        if (isDownload(request, reply)) deps.db.counters.count('photoDownloads', request.params.id);
      },
      schema: {
        operationId: 'downloadPhoto',
        tags,
        summary: 'Download the picture',
        description:
          'The edited image where there are edits. The owner gets the very bytes that were uploaded; everybody ' +
          'else a copy without metadata (location, serial numbers), pixel for pixel the same where the format ' +
          'allows it. Counts one download, unless the answer is 304 or a later part.',
        params,
        response: failures(...onPhoto, 'rangeNotSatisfiable', ...signedIn),
      },
    },
    async (request, reply) => download(viewerOf(request), request.params.id, request, reply),
  );

  await app.register(async (scope: App) => {
    await acceptForms(scope);
    scope.post(
      '/api/photos/upload',
      {
        config: { auth: 'required', form: fileForm('UploadForm', schema.UploadFields.properties) },
        schema: {
          operationId: 'uploadPhoto',
          tags,
          summary: 'Upload a photo',
          description:
            'JPEG, PNG, GIF, WebP, AVIF, TIFF or HEIC, told from the bytes. Answered when the original, its ' +
            'renditions and its row are on the disk.',
          response: {
            200: writeAnswer(schema.Uploaded),
            ...failures(
              'invalid',
              'unsupportedFormat',
              'fileTooLarge',
              'quotaExceeded',
              'albumNotFound',
              'albumForbidden',
              'noSpace',
              ...signedIn,
            ),
          },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const photo = await uploadPhoto(deps, viewer, request);
        return doneWith('Photo uploaded', presentUploaded(deps, viewer, photo));
      },
    );
  });

  await editRoutes(app, deps);
}
