/** Defines the moderation routes for photos, comments and reports. */

import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { deleteComment } from '../../comments/delete.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import { trashPhoto } from '../../photos/trash/trash.ts';
import { handleReport } from '../reports/handle.ts';
import { listReports } from '../reports/reports.ts';
import * as schema from '../reports/schema.ts';
import { listAdminComments } from './comments.ts';
import { createListAdminPhotos } from './photos.ts';

export async function adminContentRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Administration');
  const listPhotos = createListAdminPhotos(deps);

  api.get('/api/admin/photos', {
    auth: 'admin',
    operationId: 'adminListPhotos',
    summary: 'List all photos',
    description: 'Newest first, including private ones. Photos in the trash are not listed.',
    querystring: schema.AdminPhotosQuery,
    answer: listPageSchema(schema.AdminPhoto),
    handler: ({ viewer, query }) => listPhotos(viewer, query),
  });

  api.delete('/api/admin/photos/:id', {
    auth: 'admin',
    operationId: 'adminDeletePhoto',
    summary: "Move a photo to its owner's trash",
    description: 'Also handles the open reports about the photo.',
    params: idParams('photo'),
    refusals: ['photoNotFound'],
    handler: async (request) => {
      await trashPhoto(deps, request.viewer, request.params.id);
      return messageResponse('Photo moved to the trash');
    },
  });

  api.get('/api/admin/comments', {
    auth: 'admin',
    operationId: 'adminListComments',
    summary: 'List all comments',
    description: 'Newest first, including those on private photos.',
    querystring: schema.AdminCommentsQuery,
    answer: listPageSchema(schema.AdminComment),
    handler: ({ viewer, query }) => listAdminComments(deps, viewer, query),
  });

  api.delete('/api/admin/comments/:id', {
    auth: 'admin',
    operationId: 'adminDeleteComment',
    summary: 'Delete a comment and its replies',
    description: 'Also handles the open reports about the comment.',
    params: idParams('comment'),
    refusals: ['commentNotFound'],
    handler: async (request) => {
      await deleteComment(deps, request.viewer, request.params.id);
      return messageResponse('Comment deleted');
    },
  });

  api.get('/api/admin/reports', {
    auth: 'admin',
    operationId: 'adminListReports',
    summary: 'List reports',
    description: 'Newest first.',
    querystring: schema.ReportsQuery,
    answer: listPageSchema(schema.Report),
    handler: ({ viewer, query }) => listReports(deps, viewer, query),
  });

  api.post('/api/admin/reports/:id/handle', {
    auth: 'admin',
    operationId: 'adminHandleReport',
    summary: 'Handle a report',
    description:
      'Also handles all other open reports about the same target. A report that was already handled ' +
      'is refused with 400, naming `id`. An API key cannot disable or delete accounts.',
    params: idParams('report'),
    body: schema.ReportHandling,
    answer: schema.HandledReports,
    refusals: ['reportNotFound', 'lastAdmin'],
    handler: async (request) => {
      const reports = await handleReport(deps, request.viewer, request.params.id, request.body);
      return resultResponse('Report handled', { reports });
    },
  });
}
