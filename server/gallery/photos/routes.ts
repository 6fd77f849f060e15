/**
 * Routes of photos: upload, list, details, update, delete, like, favorite and download. The routes of edits are in
 * another file.
 */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../platform/http/envelope.ts';
import { fileFormSchema, idParams } from '../../platform/http/schema.ts';
import { acceptForms } from '../../platform/http/upload-form.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { BatchRequest, runPhotoBatch } from './batch/batch.ts';
import { createReadPhotoDetail } from './detail.ts';
import { sendDownload, willStartDownload } from './download.ts';
import { editRoutes } from './edit/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { changeReaction } from './likes.ts';
import { createListPhotos } from './list/list.ts';
import { PhotoPage } from './list/schema.ts';
import { presentUploadedPhoto } from './present.ts';
import * as schema from './schema.ts';
import { completeBySidecar } from './sidecar/complete.ts';
import { Sidecar } from './sidecar/schema.ts';
import { listTags, Tag, TagsQuery } from './tags/list.ts';
import { trashPhoto } from './trash/trash.ts';
import { updatePhoto } from './update.ts';
import { findKnownFiles } from './upload/known-files.ts';
import { ChecksumsRequest, KnownFiles } from './upload/schema.ts';
import { receivePhotoForm } from './upload/upload.ts';

const params = idParams('photo');

export async function photoRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Photos');
  const listPhotos = createListPhotos(deps);
  const readDetail = createReadPhotoDetail(deps);

  api.get('/api/photos', {
    auth: 'optional',
    operationId: 'listPhotos',
    summary: 'List photos',
    description: "Lists public photos; with a token also photos for members and the caller's own.",
    querystring: schema.PhotoListQuery,
    answer: PhotoPage,
    refusals: ['unauthenticated', 'albumNotFound', 'albumForbidden', 'photoNotFound'],
    handler: ({ viewer, query }) => listPhotos(viewer, query),
  });

  api.get('/api/photos/:id', {
    auth: 'optional',
    operationId: 'getPhoto',
    summary: 'Get a photo',
    description: "Counts one view, except for the photo's owner with a session cookie.",
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
      return messageResponse('Photo saved');
    },
  });

  api.delete('/api/photos/:id', {
    auth: 'required',
    operationId: 'deletePhoto',
    summary: 'Move a photo to the trash',
    description: 'The photo disappears from all lists immediately, and is permanently deleted after 30 days.',
    params,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      await trashPhoto(deps, request.viewer, request.params.id);
      return messageResponse('Photo moved to the trash');
    },
  });

  api.post('/api/photos/:id/like', {
    auth: 'required',
    operationId: 'likePhoto',
    summary: 'Like or unlike a photo',
    description:
      'Each call toggles the like, unless `liked` gives the new state. The response has the new ' +
      'state. A caller who can no longer see the photo can still remove a like; the count in the ' +
      'response is then 0.',
    config: { hasOptionalBody: true },
    params,
    body: schema.SetPhotoLike,
    answer: schema.LikeResponse,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      const { isSet, count } = await changeReaction(deps, viewer, params.id, 'likes', body.liked);
      return resultResponse(isSet ? 'Liked' : 'Like removed', { is_liked: isSet, likes: count });
    },
  });

  api.post('/api/photos/:id/favorite', {
    auth: 'required',
    operationId: 'favoritePhoto',
    summary: 'Add or remove a favorite',
    description:
      'Each call toggles the favorite, unless `favorited` gives the new state. The response has the ' +
      'new state. A caller who can no longer see the photo can still remove a favorite; the count ' +
      'in the response is then 0.',
    config: { hasOptionalBody: true },
    params,
    body: schema.SetPhotoFavorite,
    answer: schema.FavoriteResponse,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      const { isSet, count } = await changeReaction(deps, viewer, params.id, 'favorites', body.favorited);
      const message = isSet ? 'Added to favorites' : 'Removed from favorites';
      return resultResponse(message, { is_favorited: isSet, favorites: count });
    },
  });

  api.get('/api/photos/:id/download', {
    auth: 'required',
    config: { produces: ['image/*'] },
    // The counter increases before the first byte is sent, so that a client with the complete file sees its download
    // counted.
    onSend: async (request, reply) => {
      if (willStartDownload(request, reply)) deps.db.counters.count('photoDownloads', request.params.id);
    },
    operationId: 'downloadPhoto',
    summary: 'Download a photo',
    description:
      'Sends the edited image if there are edits, and the original otherwise. The owner gets the ' +
      'original bytes. Others get a copy without metadata (location, serial numbers), with the same ' +
      'pixels if the format allows it. Counts one download, unless the response is 304 or a range ' +
      'that does not start at the first byte.',
    params,
    refusals: ['photoNotFound', 'photoForbidden', 'rangeNotSatisfiable'],
    handler: (request, reply) => sendDownload(deps, request.params.id, request, reply),
  });

  await app.register(async (scope: App) => {
    await acceptForms(scope);
    createEndpointMethods(scope, 'Photos').post('/api/photos/upload', {
      auth: 'required',
      config: { form: fileFormSchema('UploadForm', schema.UploadFields.properties) },
      operationId: 'uploadPhoto',
      summary: 'Upload a photo',
      description:
        'Accepts JPEG, PNG, GIF, WebP, AVIF, TIFF and HEIC, detected from the content. The response ' +
        'is sent after the original, its renditions and its row are stored durably.',
      answer: schema.UploadResponse,
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
        const photo = await receivePhotoForm(deps, viewer, request);
        return resultResponse('Photo uploaded', presentUploadedPhoto(deps, viewer, photo));
      },
    });
  });

  api.post('/api/photos/known', {
    auth: 'required',
    operationId: 'findKnownFiles',
    summary: 'Find files that the caller already has',
    description:
      "Finds the caller's own photos by the SHA-256 of their originals, so that a client can skip files before it " +
      'sends them.',
    body: ChecksumsRequest,
    answer: KnownFiles,
    handler: async ({ viewer, body }) =>
      resultResponse('Files compared', await findKnownFiles(deps, viewer.id, body.sha256)),
  });

  api.put('/api/photos/:id/sidecar', {
    auth: 'required',
    operationId: 'completePhoto',
    summary: 'Complete a photo by its sidecar',
    description:
      "Takes what a file beside one of the caller's photos says, such as XMP or JSON of Google Takeout, which was not " +
      'there when the photo was uploaded. Fills only what is empty or was chosen by the upload. Corrections stay, and ' +
      'texts are filled only while nobody else sees the photo.',
    params,
    body: Sidecar,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async ({ viewer, params, body }) => {
      await completeBySidecar(deps, viewer, params.id, body);
      return messageResponse('Photo completed');
    },
  });

  await editRoutes(app, deps);
  groupRoutes(app, deps);

  api.post('/api/photos/batch', {
    auth: 'required',
    operationId: 'batchPhotos',
    summary: 'Change several photos at once',
    description:
      'Each photo is changed independently. The response lists the photos that failed, with the ' +
      'reason. `restore` restores photos from the trash; `publish` and `hide` set `is_public`. The ' +
      'album of `add` and `remove` must exist.',
    body: BatchRequest,
    answer: schema.BatchOutcome,
    refusals: ['albumNotFound', 'albumForbidden', 'albumIsSmart'],
    handler: async (request) => {
      const result = await runPhotoBatch(deps, request.viewer, request.body);
      return resultResponse(`Succeeded: ${result.success.length}, failed: ${result.failed.length}`, result);
    },
  });

  api.get('/api/tags', {
    auth: 'optional',
    operationId: 'listTags',
    summary: 'List tags',
    description: 'Most used first. Counts only photos that the caller can see.',
    querystring: TagsQuery,
    answer: listPageSchema(Tag),
    handler: ({ viewer, query }) => listTags(deps, viewer, query),
  });
}
