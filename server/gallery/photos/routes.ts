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
        description: "Public photos; with a token also the caller's private ones. Admins see all photos.",
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
        summary: 'Get a photo',
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
        summary: 'Update a photo',
        description: 'Fields that are left out keep their values.',
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
        summary: 'Move a photo to the trash',
        description: 'It disappears from all lists at once and is deleted permanently after 30 days.',
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
        summary: 'Like or unlike a photo',
        description:
          'Each call toggles it; the answer has the new state. A like can also be removed when the caller no longer ' +
          'sees the photo; the count in the answer is 0 then.',
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
        summary: 'Add or remove a favorite',
        description:
          'Each call toggles it; the answer has the new state. A favorite can also be removed when the caller no longer ' +
          'sees the photo; the count in the answer is 0 then.',
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
        summary: 'Download a photo',
        description:
          'The edited image if there are edits, else the original. The owner gets the original as it was uploaded; ' +
          'others get a copy without metadata (location, serial numbers), with the same pixels where the format ' +
          'allows it. Counts one download, unless the answer is 304 or a range that starts later.',
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
            'JPEG, PNG, GIF, WebP, AVIF, TIFF or HEIC, detected from the content. The answer is sent when the ' +
            'original, its renditions and its row are stored durably.',
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
