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
          'The photos that the caller may see, in their order, and the albums in it as folders. Owners get the ' +
          'bytes that they uploaded, everybody else copies without metadata; originals count as downloads. The ' +
          'archive is made while it is sent, without a length; when something is missing the connection breaks, ' +
          'so that what arrives in full is complete. Two at once for a user, six for an address (two without a token).',
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
