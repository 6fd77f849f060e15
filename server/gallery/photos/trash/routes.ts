/**
 * Routes to list the trash, restore a photo and delete a photo permanently. DELETE /api/photos/{id} moves a photo to
 * the trash.
 */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { listPageSchema, messageResponse } from '../../../platform/http/envelope.ts';
import { paginatedQuery } from '../../../platform/http/pagination.ts';
import { idParams, timeField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { createReadTrashedPhoto } from '../detail.ts';
import { Photo, PhotoItem } from '../schema.ts';
import { createListTrash } from './list.ts';
import { purgePhoto } from './purge.ts';
import { getTrashedPhoto, restorePhoto } from './trash.ts';

const params = idParams('photo');

const TrashItem = Type.Object(
  {
    ...PhotoItem.properties,
    delete_time: timeField('Time of deletion; the photo is permanently deleted thirty days later'),
  },
  { title: 'TrashItem' },
);

export async function trashRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Trash');
  const listTrash = createListTrash(deps);
  const readTrashedPhoto = createReadTrashedPhoto(deps);

  api.get('/api/trash', {
    auth: 'required',
    operationId: 'listTrash',
    summary: 'List my trash',
    description: 'Last deleted first. Only the owner sees these photos.',
    querystring: paginatedQuery({}),
    answer: listPageSchema(TrashItem),
    handler: ({ viewer, query }) => listTrash(viewer, query),
  });

  api.get('/api/trash/:id', {
    auth: 'required',
    operationId: 'getTrashedPhoto',
    summary: 'Get a photo in my trash',
    description: 'Counts no view. Only the owner sees the photo.',
    params,
    answer: Photo,
    refusals: ['photoNotFound'],
    handler: ({ viewer, params }) => readTrashedPhoto(viewer, params.id),
  });

  api.post('/api/photos/:id/restore', {
    auth: 'required',
    operationId: 'restorePhoto',
    summary: 'Restore a photo from the trash',
    description: 'Tags, likes and favorites are restored, too, and the album if it still exists.',
    params,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      await restorePhoto(deps, request.viewer, request.params.id);
      return messageResponse('Photo restored');
    },
  });

  api.delete('/api/trash/:id', {
    auth: 'required',
    operationId: 'purgePhoto',
    summary: 'Delete a trashed photo permanently',
    description: 'Deletes its image files, comments and likes. This cannot be undone.',
    params,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      const { viewer } = request;
      await purgePhoto(
        deps,
        request.params.id,
        (photo) => getTrashedPhoto(viewer, photo) !== undefined,
        viewer,
      );
      return messageResponse('Photo permanently deleted');
    },
  });
}
