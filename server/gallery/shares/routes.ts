/** Share a photo, list and revoke one's shares, open and unlock one. The page has a file of its own. */

import type { Deps } from '../../deps.ts';
import { addressOf } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { App } from '../../platform/http/app.ts';
import { baseUrlOf } from '../../platform/http/base-url.ts';
import {
  dataAnswer,
  done,
  doneWith,
  failures,
  messageAnswer,
  ok,
  pageAnswer,
  writeAnswer,
} from '../../platform/http/envelope.ts';
import { paginationOf, windowOf } from '../../platform/http/pagination.ts';
import { idParams } from '../../platform/http/schema.ts';
import { viewerOf } from '../accounts/access.ts';
import { findCovers } from '../albums/covers.ts';
import { accessLifetime } from './access.ts';
import { shareAlbum, sharePhoto } from './create.ts';
import { shareDownloadRoutes } from './download-routes.ts';
import type { Links } from './links.ts';
import { isUnlocked } from './open.ts';
import { presentMade, presentShare, presentShared } from './present.ts';
import * as schema from './schema.ts';
import { albumsOf, countShares, deleteShare, listShares } from './store.ts';

const tags = ['Shares'];
const signedIn = ['unauthenticated', 'badToken'] as const;

export async function shareRoutes(
  app: App,
  deps: Deps,
  { findLink, unlock, readSharedAlbum }: Links,
): Promise<void> {
  app.post(
    '/api/photos/:id/share',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'sharePhoto',
        tags,
        summary: 'Share a photo',
        description:
          'The link shows the photo to everybody who has it, also a private photo. Every user may share a public ' +
          'photo; only its owner and admins may share a private one. When a photo becomes private, links that ' +
          'other users made stop showing it.',
        params: idParams('photo'),
        body: schema.NewShare,
        response: {
          200: writeAnswer(schema.MadeShare),
          ...failures('invalid', 'photoNotFound', 'photoForbidden', ...signedIn),
        },
      },
    },
    async (request) => {
      const share = await sharePhoto(deps, viewerOf(request), request.params.id, request.body);
      return doneWith('Photo shared', await presentMade(share, baseUrlOf(request, deps.config)));
    },
  );

  app.post(
    '/api/albums/:id/share',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'shareAlbum',
        tags,
        summary: 'Share an album',
        description:
          'The link shows the album with all photos directly in it, also private ones, to everybody who has it; ' +
          'albums in it are not shown. For its owner and admins.',
        params: idParams('album'),
        body: schema.NewShare,
        response: {
          200: writeAnswer(schema.MadeShare),
          ...failures('invalid', 'albumNotFound', 'albumForbidden', ...signedIn),
        },
      },
    },
    async (request) => {
      const share = await shareAlbum(deps, viewerOf(request), request.params.id, request.body);
      return doneWith('Album shared', await presentMade(share, baseUrlOf(request, deps.config)));
    },
  );

  app.get(
    '/api/shares',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'listShares',
        tags,
        summary: 'List my shares',
        description: 'Newest first, expired ones included.',
        querystring: schema.ListQuery,
        response: { 200: pageAnswer(schema.Share), ...failures('invalid', ...signedIn) },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const baseUrl = baseUrlOf(request, deps.config);
      const { result: rows, missing } = await deps.db.counters.complete(() =>
        listShares(deps, viewer.id, windowOf(request.query)),
      );
      const total = await countShares(deps, viewer.id);
      const covers = await findCovers(deps, viewer, albumsOf(rows));
      const list = rows.map((row) => {
        const views = row.views + missing('shareViews', row.id);
        const cover = covers.get(row.album_id ?? 0);
        return presentShare(deps, viewer, { ...row, views, cover }, baseUrl);
      });
      return ok({ list, pagination: paginationOf(request.query, total) });
    },
  );

  app.delete(
    '/api/shares/:id',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'revokeShare',
        tags,
        summary: 'Revoke a share',
        description: 'Its link and all image paths that it returned stop working at once.',
        params: idParams('share'),
        response: { 200: messageAnswer, ...failures('invalid', 'forbidden', 'shareNotFound', ...signedIn) },
      },
    },
    async (request) => {
      await deleteShare(deps, viewerOf(request), request.params.id);
      return done('Share revoked');
    },
  );

  app.get(
    '/api/shares/:token',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'getShare',
        tags,
        summary: 'Get a share',
        description: 'Returns what the link shows. Counts one view of the share.',
        params: schema.TokenParams,
        querystring: schema.AccessQuery,
        response: {
          200: dataAnswer(schema.Shared),
          ...failures('invalid', 'shareNotFound', 'sharePassword'),
        },
      },
    },
    async (request, reply) => {
      const link = await findLink(request.params.token);
      if (!isUnlocked(deps, link, request.query.access)) throw errors.sharePassword();
      // A HEAD request, which runs this handler too, is no view.
      if (request.method === 'GET') deps.db.counters.count('shareViews', link.share.id);
      reply.header('Cache-Control', 'private, no-store');
      if ('album' in link) {
        return ok({ type: 'album' as const, ...(await readSharedAlbum(link, request.query)) });
      }
      return ok({ type: 'photo' as const, photo: presentShared(deps, link) });
    },
  );

  app.post(
    '/api/shares/:token/unlock',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'unlockShare',
        tags,
        summary: 'Unlock a share',
        description:
          'At most 10 attempts a minute for each link and address, 50 for each address over all links. The `access` ' +
          'is valid for this share only.',
        params: schema.TokenParams,
        body: schema.Unlock,
        response: {
          200: writeAnswer(schema.Unlocked),
          ...failures('invalid', 'shareNotFound', 'sharePassword'),
        },
      },
    },
    async (request, reply) => {
      const access = await unlock(request.params.token, request.body.password, addressOf(request));
      reply.header('Cache-Control', 'no-store');
      return doneWith('Unlocked', { access, expires_in: accessLifetime });
    },
  );

  shareDownloadRoutes(app, deps, findLink);
}
