/**
 * Routes of photos: upload, list, details, update, delete, like, favorite and download. The routes of edits are in
 * another file.
 */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { done, doneWith, pageSchema } from '../../platform/http/envelope.ts';
import { fileForm, idParams } from '../../platform/http/schema.ts';
import { acceptForms } from '../../platform/http/upload-form.ts';
import { endpoints } from '../identity/endpoints.ts';
import { Batch, runBatch } from './batch/batch.ts';
import { createReadDetail } from './detail.ts';
import { isFromStart, sendDownload } from './download.ts';
import { editRoutes } from './edit/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { changeReaction } from './likes.ts';
import { createListPhotos } from './list/list.ts';
import { presentUploaded } from './present.ts';
import * as schema from './schema.ts';
import { listTags, Tag, TagsQuery } from './tags/list.ts';
import { trashPhoto } from './trash/trash.ts';
import { updatePhoto } from './update.ts';
import { uploadPhoto } from './upload/upload.ts';

const params = idParams('photo');

export async function photoRoutes(app: App, deps: Deps): Promise<void> {
  const api = endpoints(app, 'Photos');
  const listPhotos = createListPhotos(deps);
  const readDetail = createReadDetail(deps);

  api.get('/api/photos', {
    auth: 'optional',
    operationId: 'listPhotos',
    summary: 'List photos',
    description: "Public photos; with a token also the caller's private ones. Admins see all photos.",
    querystring: schema.ListQuery,
    answer: pageSchema(schema.PhotoItem),
    refusals: ['unauthenticated', 'albumNotFound', 'albumForbidden', 'photoNotFound'],
    handler: ({ viewer, query }) => listPhotos(viewer, query),
  });

  api.get('/api/photos/:id', {
    auth: 'optional',
    operationId: 'getPhoto',
    summary: 'Get a photo',
    description: 'Counts one view.',
    params,
    answer: schema.Photo,
    refusals: ['photoNotFound', 'photoForbidden'],
    // HEAD requests also run this handler, but do not count as views.
    handler: ({ viewer, params, method }) => readDetail(viewer, params.id, method === 'GET'),
  });

  api.put('/api/photos/:id', {
    auth: 'required',
    operationId: 'updatePhoto',
    summary: 'Update a photo',
    description: 'Fields that are left out keep their values.',
    params,
    body: schema.PhotoUpdate,
    refusals: ['photoNotFound', 'photoForbidden', 'albumNotFound', 'albumForbidden', 'albumIsSmart'],
    handler: async (request) => {
      await updatePhoto(deps, request.viewer, request.params.id, request.body);
      return done('Photo saved');
    },
  });

  api.delete('/api/photos/:id', {
    auth: 'required',
    operationId: 'deletePhoto',
    summary: 'Move a photo to the trash',
    description: 'It disappears from all lists at once and is deleted permanently after 30 days.',
    params,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      await trashPhoto(deps, request.viewer, request.params.id);
      return done('Photo moved to the trash');
    },
  });

  api.post('/api/photos/:id/like', {
    auth: 'required',
    operationId: 'likePhoto',
    summary: 'Like or unlike a photo',
    description:
      'Each call toggles it, unless `liked` says what it shall be; the answer has the new state. A like can also be ' +
      'removed when the caller no longer sees the photo; the count in the answer is 0 then.',
    config: { hasOptionalBody: true },
    params,
    body: schema.SetLiked,
    answer: schema.Liked,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      const { isSet, count } = await changeReaction(deps, viewer, params.id, 'likes', body.liked);
      return doneWith(isSet ? 'Liked' : 'Not liked', { is_liked: isSet, likes: count });
    },
  });

  api.post('/api/photos/:id/favorite', {
    auth: 'required',
    operationId: 'favoritePhoto',
    summary: 'Add or remove a favorite',
    description:
      'Each call toggles it, unless `favorited` says what it shall be; the answer has the new state. A favorite can also be ' +
      'removed when the caller no longer sees the photo; the count in the answer is 0 then.',
    config: { hasOptionalBody: true },
    params,
    body: schema.SetFavorited,
    answer: schema.Favorited,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      const { isSet, count } = await changeReaction(deps, viewer, params.id, 'favorites', body.favorited);
      const message = isSet ? 'Among the favorites' : 'Not among the favorites';
      return doneWith(message, { is_favorited: isSet, favorites: count });
    },
  });

  api.get('/api/photos/:id/download', {
    auth: 'required',
    config: { produces: ['image/*'] },
    // The counter increases before the first byte is sent, so that a client with the complete file sees its download
    // counted.
    onSend: async (request, reply) => {
      if (isFromStart(request, reply)) deps.db.counters.count('photoDownloads', request.params.id);
    },
    operationId: 'downloadPhoto',
    summary: 'Download a photo',
    description:
      'The edited image if there are edits, else the original. The owner gets the original as it was uploaded; ' +
      'others get a copy without metadata (location, serial numbers), with the same pixels where the format ' +
      'allows it. Counts one download, unless the answer is 304 or a range that starts later.',
    params,
    refusals: ['photoNotFound', 'photoForbidden', 'rangeNotSatisfiable'],
    handler: (request, reply) => sendDownload(deps, request.params.id, request, reply),
  });

  await app.register(async (scope: App) => {
    await acceptForms(scope);
    endpoints(scope, 'Photos').post('/api/photos/upload', {
      auth: 'required',
      config: { form: fileForm('UploadForm', schema.UploadFields.properties) },
      operationId: 'uploadPhoto',
      summary: 'Upload a photo',
      description:
        'JPEG, PNG, GIF, WebP, AVIF, TIFF or HEIC, detected from the content. The answer is sent when the ' +
        'original, its renditions and its row are stored durably.',
      answer: schema.Uploaded,
      refusals: [
        'unsupportedFormat',
        'fileTooLarge',
        'quotaExceeded',
        'albumNotFound',
        'albumForbidden',
        'albumIsSmart',
        'noSpace',
      ],
      handler: async (request) => {
        const { viewer } = request;
        const photo = await uploadPhoto(deps, viewer, request);
        return doneWith('Photo uploaded', presentUploaded(deps, viewer, photo));
      },
    });
  });

  await editRoutes(app, deps);
  groupRoutes(app, deps);

  api.post('/api/photos/batch', {
    auth: 'required',
    operationId: 'batchPhotos',
    summary: 'Change many photos at once',
    description:
      'Each photo is changed independently: the answer names those that failed, with the reason. `restore` takes ' +
      'photos out of the trash, `publish` and `hide` set `is_public`.',
    body: Batch,
    answer: schema.Outcome,
    handler: async (request) => {
      const result = await runBatch(deps, request.viewer, request.body);
      return doneWith(`Done: ${result.success.length}, failed: ${result.failed.length}`, result);
    },
  });

  api.get('/api/tags', {
    auth: 'optional',
    operationId: 'listTags',
    summary: 'List tags',
    description: 'The most used first; counts only photos that the caller may see.',
    querystring: TagsQuery,
    answer: pageSchema(Tag),
    handler: ({ viewer, query }) => listTags(deps, viewer, query),
  });
}
