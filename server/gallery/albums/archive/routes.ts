/** An album as one file. */

import type { Deps } from '../../../deps.ts';
import { callerKey } from '../../../platform/connections/address.ts';
import type { App } from '../../../platform/http/app.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { endpoints } from '../../accounts/endpoints.ts';
import { getVisibleAlbum } from '../../library/albums.ts';
import { ArchiveQuery } from '../schema.ts';
import { createSendArchive } from './archive.ts';

export function archiveRoutes(app: App, deps: Deps): void {
  const api = endpoints(app, 'Albums');
  const sendArchive = createSendArchive(deps);

  api.get('/api/albums/:id/download', {
    auth: 'optional',
    config: { produces: ['application/zip'] },
    operationId: 'downloadAlbum',
    summary: 'Download an album as a ZIP',
    description:
      'The photos that the caller may see, in their order, with inner albums as folders. Owners get the bytes ' +
      'that they uploaded, others get copies without metadata; originals count as downloads. The archive is made ' +
      'while it is sent, without `Content-Length`; when a file is missing the connection is closed early, so an ' +
      'archive that ends properly is complete. At most two at once for a user, six for an address (two without ' +
      'a token).',
    params: idParams('album'),
    querystring: ArchiveQuery,
    refusals: ['albumNotFound', 'albumForbidden', 'busy'],
    handler: async (request, reply) => {
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
  });
}
