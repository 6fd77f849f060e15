/** The trash: list, restore, delete permanently. DELETE /api/photos/{id} moves a photo to it. */
import { Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import type { App } from '../../../platform/http/app.ts';
import { done, failures, messageAnswer, ok, pageAnswer } from '../../../platform/http/envelope.ts';
import { pageQuery } from '../../../platform/http/pagination.ts';
import { idParams, timeField } from '../../../platform/http/schema.ts';
import { viewerOf } from '../../accounts/access.ts';
import { PhotoItem } from '../schema.ts';
import { createListTrash } from './list.ts';
import { purgePhoto } from './purge.ts';
import { restorePhoto, trashedPhoto } from './restore.ts';

const tags = ['Trash'];
const params = idParams('photo');
const signedIn = ['unauthenticated', 'badToken'] as const;

const TrashItem = Type.Object(
  {
    ...PhotoItem.properties,
    delete_time: timeField('When it was deleted; thirty days later it is deleted permanently'),
  },
  { title: 'TrashItem' },
);

export async function trashRoutes(app: App, deps: Deps): Promise<void> {
  const listTrash = createListTrash(deps);

  app.get(
    '/api/trash',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'listTrash',
        tags,
        summary: 'List my trash',
        description: 'The latest deletion first. Only the owner sees these photos.',
        querystring: pageQuery({}),
        response: { 200: pageAnswer(TrashItem), ...failures('invalid', ...signedIn) },
      },
    },
    async (request) => ok(await listTrash(viewerOf(request), request.query)),
  );

  app.post(
    '/api/photos/:id/restore',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'restorePhoto',
        tags,
        summary: 'Restore a photo from the trash',
        description: 'Tags, likes and favorites come back with it, and its album if that still exists.',
        params,
        response: {
          200: messageAnswer,
          ...failures('invalid', 'photoNotFound', 'photoForbidden', ...signedIn),
        },
      },
    },
    async (request) => {
      await restorePhoto(deps, viewerOf(request), request.params.id);
      return done('Photo restored');
    },
  );

  app.delete(
    '/api/trash/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'purgePhoto',
        tags,
        summary: 'Delete a trashed photo permanently',
        description: 'Deletes its image files, comments and likes. This cannot be undone.',
        params,
        response: {
          200: messageAnswer,
          ...failures('invalid', 'photoNotFound', 'photoForbidden', ...signedIn),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      await purgePhoto(deps, request.params.id, (photo) => trashedPhoto(viewer, photo) !== undefined, viewer);
      return done('Photo deleted for good');
    },
  );
}
