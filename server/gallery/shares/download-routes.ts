/** A shared album as one file. */

import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { failures } from '../../platform/http/envelope.ts';
import { createSendArchive } from '../albums/archive/archive.ts';
import { type FindLink, isUnlocked, sharerOf } from './open.ts';
import { DownloadQuery, TokenParams } from './schema.ts';

export function shareDownloadRoutes(app: App, deps: Deps, findLink: FindLink): void {
  const sendArchive = createSendArchive(deps);

  app.get(
    '/api/shares/:token/download',
    {
      config: { auth: 'none', produces: ['application/zip'] },
      schema: {
        operationId: 'downloadSharedAlbum',
        tags: ['Shares'],
        summary: 'Download a shared album as a ZIP',
        description:
          'The photos that its link shows, without metadata. Revoking the share aborts running downloads.',
        params: TokenParams,
        querystring: DownloadQuery,
        response: failures('invalid', 'shareNotFound', 'sharePassword', 'busy'),
      },
    },
    async (request, reply) => {
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
  );
}
