/** A shared album as one file. */

import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { endpoints } from '../accounts/endpoints.ts';
import { createSendArchive } from '../albums/archive/archive.ts';
import { type FindLink, isUnlocked, sharerOf } from './open.ts';
import { DownloadQuery, TokenParams } from './schema.ts';

export function shareDownloadRoutes(app: App, deps: Deps, findLink: FindLink): void {
  const api = endpoints(app, 'Shares');
  const sendArchive = createSendArchive(deps);

  api.get('/api/shares/:token/download', {
    auth: 'none',
    config: { produces: ['application/zip'] },
    operationId: 'downloadSharedAlbum',
    summary: 'Download a shared album as a ZIP',
    description:
      'The photos that its link shows, without metadata. Revoking the share aborts running downloads.',
    params: TokenParams,
    querystring: DownloadQuery,
    refusals: ['shareNotFound', 'sharePassword', 'busy'],
    handler: async (request, reply) => {
      const { token } = request.params;
      const link = await findLink(token);
      if (!('album' in link)) throw errors.shareNotFound({ message: 'The share is of a photo' });
      if (!isUnlocked(deps, link, request.query.access)) throw errors.sharePassword();
      return sendArchive(request, reply, {
        album: link.album,
        kind: request.query.kind,
        seer: sharerOf(link.share),
        reader: undefined,
        caller: callerKey(undefined, request),
        isDeep: false,
        mayGoOn: () => findLink(token),
      });
    },
  });
}
