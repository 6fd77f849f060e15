/** Moderation: photos, comments and reports. */

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
import { deleteComment } from '../../comments/delete.ts';
import { trashPhoto } from '../../photos/trash/trash.ts';
import { handleReport } from '../reports/handle.ts';
import { listReports } from '../reports/reports.ts';
import * as schema from '../reports/schema.ts';
import { listComments } from './comments.ts';
import { createListAdminPhotos } from './photos.ts';

const tags = ['Administration'];
const adminOnly = ['invalid', 'unauthenticated', 'badToken', 'forbidden'] as const;

export async function adminContentRoutes(app: App, deps: Deps, eraser: Job): Promise<void> {
  const listPhotos = createListAdminPhotos(deps);

  app.get(
    '/api/admin/photos',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'adminListPhotos',
        tags,
        summary: 'List all photos',
        description: 'Newest first, including private ones. Photos in the trash are not listed.',
        querystring: schema.PhotosQuery,
        response: { 200: pageAnswer(schema.AdminPhoto), ...failures(...adminOnly) },
      },
    },
    async (request) => ok(await listPhotos(viewerOf(request), request.query)),
  );

  app.delete(
    '/api/admin/photos/:id',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'adminDeletePhoto',
        tags,
        summary: "Move a photo to its owner's trash",
        description: 'This also handles open reports about it.',
        params: idParams('photo'),
        response: { 200: messageAnswer, ...failures(...adminOnly, 'photoNotFound') },
      },
    },
    async (request) => {
      await trashPhoto(deps, viewerOf(request), request.params.id);
      return done('Photo moved to the trash');
    },
  );

  app.get(
    '/api/admin/comments',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'adminListComments',
        tags,
        summary: 'List all comments',
        description: 'Newest first, including those on private photos.',
        querystring: schema.CommentsQuery,
        response: { 200: pageAnswer(schema.AdminComment), ...failures(...adminOnly) },
      },
    },
    async ({ query }) => ok(await listComments(deps, query)),
  );

  app.delete(
    '/api/admin/comments/:id',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'adminDeleteComment',
        tags,
        summary: 'Delete a comment and its replies',
        description: 'This also handles open reports about it.',
        params: idParams('comment'),
        response: { 200: messageAnswer, ...failures(...adminOnly, 'commentNotFound') },
      },
    },
    async (request) => {
      await deleteComment(deps, viewerOf(request), request.params.id);
      return done('Comment deleted');
    },
  );

  app.get(
    '/api/admin/reports',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'adminListReports',
        tags,
        summary: 'List reports',
        description: 'Latest first.',
        querystring: schema.ReportsQuery,
        response: { 200: pageAnswer(schema.Report), ...failures(...adminOnly) },
      },
    },
    async (request) => ok(await listReports(deps, viewerOf(request), request.query)),
  );

  app.post(
    '/api/admin/reports/:id/handle',
    {
      config: { auth: 'admin' },
      schema: {
        operationId: 'adminHandleReport',
        tags,
        summary: 'Handle a report',
        description:
          'Also handles all other open reports about the same thing. A report that was handled already is refused ' +
          'with 400, naming `id`. An API key can neither disable nor delete accounts.',
        params: idParams('report'),
        body: schema.Handling,
        response: {
          200: writeAnswer(schema.Handled),
          ...failures(...adminOnly, 'reportNotFound', 'lastAdmin'),
        },
      },
    },
    async (request) => {
      const reports = await handleReport(deps, viewerOf(request), request.params.id, request.body);
      eraser.start();
      return doneWith('Report handled', { reports });
    },
  );
}
