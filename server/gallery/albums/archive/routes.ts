/** An album as one file. */

import type { Deps } from '../../../deps.ts';
import { callerKey } from '../../../platform/connections/address.ts';
import type { App } from '../../../platform/http/app.ts';
import { failures } from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { getVisibleAlbum } from '../../library/albums.ts';
import { ArchiveQuery } from '../schema.ts';
import { createSendArchive } from './archive.ts';

export function archiveRoutes(app: App, deps: Deps): void {
  const sendArchive = createSendArchive(deps);

  app.get(
    '/api/albums/:id/download',
    {
      config: { auth: 'optional', produces: ['application/zip'] },
      schema: {
        operationId: 'downloadAlbum',
        tags: ['Albums'],
        summary: 'Download an album as a ZIP',
        description:
          'The photos that the caller may see, in their order, with inner albums as folders. Owners get the bytes ' +
          'that they uploaded, others get copies without metadata; originals count as downloads. The archive is made ' +
          'while it is sent, without `Content-Length`; when a file is missing the connection is closed early, so an ' +
          'archive that ends properly is complete. At most two at once for a user, six for an address (two without ' +
          'a token).',
        params: idParams('album'),
        querystring: ArchiveQuery,
        response: failures('invalid', 'albumNotFound', 'albumForbidden', 'badToken', 'busy'),
      },
    },
    async (request, reply) => {
      const { viewer, params, query } = request;
      return sendArchive(request, reply, {
        album: await getVisibleAlbum(deps, viewer, params.id),
        kind: query.kind,
        seer: viewer,
        reader: viewer,
        caller: callerKey(viewer, request),
        isDeep: true,
      });
    },
  );
}
