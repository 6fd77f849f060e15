/**
 * Routes to create, list, change and revoke share links, and to open and unlock them. The HTML pages are in `pages`.
 */

import type { Deps } from '../../deps.ts';
import { clientAddress } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { getBaseUrl } from '../../platform/http/base-url.ts';
import { listPageSchema, messageResponse, resultResponse } from '../../platform/http/envelope.ts';
import { createPagination, toRowWindow } from '../../platform/http/pagination.ts';
import { idParams } from '../../platform/http/schema.ts';
import { createEndpointMethods } from '../identity/endpoints.ts';
import { createPasswordHashing } from '../identity/passwords.ts';
import { shareAccessLifetime } from './access.ts';
import { createShare } from './create.ts';
import { openAlbum } from './inner-albums.ts';
import type { ShareLinkServices } from './links.ts';
import { readShareOpening } from './open.ts';
import { findSharedAlbumCovers, presentNewShare, presentShare, presentSharedPhoto } from './present.ts';
import * as schema from './schema.ts';
import { createSendShared } from './send.ts';
import { countShares, deleteShare, getShareListItem, listShares } from './store.ts';
import { updateShare } from './update.ts';

export async function shareRoutes(
  app: App,
  deps: Deps,
  { findLink, openLink, unlock, readSharedAlbum }: ShareLinkServices,
): Promise<void> {
  const api = createEndpointMethods(app, 'Shares');
  const sharing = { ...deps, passwords: createPasswordHashing(deps, app.shared) };
  const sendShared = createSendShared(deps, { findLink, openLink });

  api.post('/api/photos/:id/share', {
    auth: 'required',
    operationId: 'sharePhoto',
    summary: 'Share a photo',
    description:
      'Anyone with the link can see the photo, even if it is private. Every user can share a public ' +
      'photo; only the owner can share another one. If a photo is no longer public, links that other ' +
      'users created stop showing it.',
    params: idParams('photo'),
    body: schema.NewShare,
    answer: schema.CreatedShare,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      const share = await createShare(sharing, viewer, { type: 'photo', ...params }, body);
      return resultResponse('Photo shared', await presentNewShare(share, getBaseUrl(request, deps.config)));
    },
  });

  api.post('/api/albums/:id/share', {
    auth: 'required',
    operationId: 'shareAlbum',
    summary: 'Share an album',
    description:
      'Anyone with the link can see the album and all photos in it, even private ones. The link shows ' +
      'albums inside it that are not narrower than the album. A smart album is shared with the public photos that its rule ' +
      'finds. For the owner. Admins can share a public album with its public photos.',
    params: idParams('album'),
    body: schema.NewShare,
    answer: schema.CreatedShare,
    refusals: ['albumNotFound', 'albumForbidden'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      const share = await createShare(sharing, viewer, { type: 'album', ...params }, body);
      return resultResponse('Album shared', await presentNewShare(share, getBaseUrl(request, deps.config)));
    },
  });

  api.get('/api/shares', {
    auth: 'required',
    operationId: 'listShares',
    summary: 'List my shares',
    description: 'Newest first, including expired shares.',
    querystring: schema.ShareListQuery,
    answer: listPageSchema(schema.Share),
    handler: async (request) => {
      const { viewer } = request;
      const baseUrl = getBaseUrl(request, deps.config);
      const found = await listShares(deps, viewer.id, toRowWindow(request.query));
      const rows = deps.db.counters.addPending(['shareViews', 'shareDownloads'], found);
      const total = await countShares(deps, viewer.id);
      const covers = await findSharedAlbumCovers(deps, viewer, rows);
      const list = rows.map((row) => {
        const cover = covers.get(row.album_id ?? 0);
        return presentShare(deps, viewer, { ...row, cover }, baseUrl);
      });
      return { list, pagination: createPagination(request.query, total) };
    },
  });

  api.put('/api/shares/:id', {
    auth: 'required',
    operationId: 'updateShare',
    summary: 'Update a share',
    description:
      'The link stays the same. A new password locks out everyone who entered the old one, and ' +
      'image paths that the link returned stop working. For the creator of the share.',
    params: idParams('share'),
    body: schema.ShareUpdate,
    answer: schema.Share,
    refusals: ['forbidden', 'shareNotFound'],
    handler: async (request) => {
      const { viewer, params, body } = request;
      await updateShare(sharing, viewer, params.id, body);
      const row = await getShareListItem(deps, params.id);
      const cover = (await findSharedAlbumCovers(deps, viewer, [row])).get(row.album_id ?? 0);
      const share = presentShare(deps, viewer, { ...row, cover }, getBaseUrl(request, deps.config));
      return resultResponse('Share saved', share);
    },
  });

  api.delete('/api/shares/:id', {
    auth: 'required',
    operationId: 'revokeShare',
    summary: 'Revoke a share',
    description:
      'The link and all image paths that it returned stop working immediately. For the creator of the ' +
      'share and admins.',
    params: idParams('share'),
    refusals: ['forbidden', 'shareNotFound'],
    handler: async (request) => {
      await deleteShare(deps, request.viewer, request.params.id);
      return messageResponse('Share revoked');
    },
  });

  api.get('/api/shares/:token', {
    auth: 'none',
    config: { openToVisitors: true },
    operationId: 'getShare',
    summary: 'Get a share',
    description:
      'Returns the photo or album that the link shares. Counts one view, except for link previews.',
    params: schema.ShareTokenParams,
    querystring: schema.SharedContentQuery,
    answer: schema.SharedContent,
    refusals: ['shareNotFound', 'sharePassword'],
    handler: async (request, reply) => {
      const link = await findLink(request.params.token);
      const access = await openLink(
        link,
        request.query.access,
        readShareOpening(request, request.query.album_id),
      );
      const allowed = { allow_download: link.share.allow_download === 1, ...(access && { access }) };
      reply.header('Cache-Control', 'private, no-store');
      if ('album' in link) {
        const opened = await openAlbum(deps, link, request.query.album_id);
        return { type: 'album' as const, ...(await readSharedAlbum(opened, request.query)), ...allowed };
      }
      if (request.query.album_id !== undefined) throw errors.shareNotFound();
      return { type: 'photo' as const, photo: presentSharedPhoto(deps, link), ...allowed };
    },
  });

  api.post('/api/shares/:token/unlock', {
    auth: 'none',
    config: { openToVisitors: true },
    operationId: 'unlockShare',
    summary: 'Unlock a share',
    description:
      'Exchanges the password for an `access`, which is valid only for this share. At most 10 ' +
      'attempts a minute for each link and address, and 50 for each address on all links.',
    params: schema.ShareTokenParams,
    body: schema.UnlockShareRequest,
    answer: schema.UnlockShareResponse,
    refusals: ['shareNotFound', 'sharePassword'],
    handler: async (request, reply) => {
      const access = await unlock(request.params.token, request.body.password, clientAddress(request));
      reply.header('Cache-Control', 'no-store');
      return resultResponse('Unlocked', { access, expires_in: shareAccessLifetime });
    },
  });

  api.get('/api/shares/:token/download', {
    auth: 'none',
    config: { openToVisitors: true, produces: ['application/zip', 'image/*'] },
    operationId: 'downloadShared',
    summary: 'Download a shared photo or album',
    description:
      'Sends a photo, or the photos of an album as a ZIP, without metadata. Inner albums are folders of the ' +
      'ZIP. Running downloads of ' +
      'albums are aborted when the share is revoked, its password changes, or downloads are turned ' +
      'off. Each download of a share with `max_views` counts one view. Requests for ranges of a ' +
      'photo from one address within ten minutes count one view together.',
    params: schema.ShareTokenParams,
    querystring: schema.ShareDownloadQuery,
    refusals: ['forbidden', 'shareNotFound', 'sharePassword', 'rangeNotSatisfiable', 'busy'],
    handler: sendShared,
  });
}
