/**
 * Routes of `/s/{token}`, the pages of share links. The pages are plain HTML without scripts, and a form asks for the
 * password.
 */

import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress } from '../../../platform/connections/address.ts';
import { errors, invalidFieldsError } from '../../../platform/errors/catalogue.ts';
import type { App } from '../../../platform/http/app.ts';
import { getBaseUrl } from '../../../platform/http/base-url.ts';
import { errorResponseSchemas } from '../../../platform/http/envelope.ts';
import { logRequestError } from '../../../platform/http/error-handler.ts';
import { isBodyCompressed } from '../../../platform/http/json-body.ts';
import { languageOf } from '../../../platform/http/language.ts';
import { hasEmptyPathParameter } from '../../../platform/http/not-found.ts';
import { maxItemsPerPage } from '../../../platform/http/pagination.ts';
import { chosenTheme } from '../../../platform/http/theme.ts';
import { findOwnBaseUrl } from '../../identity/own-address.ts';
import { readSiteSettings, standardLook } from '../../identity/site-settings.ts';
import { createCardPicture } from '../../photos/card.ts';
import { shareAccessLifetime } from '../access.ts';
import { findSharedAlbumPicture } from '../album.ts';
import { type OpenedAlbum, openAlbum } from '../inner-albums.ts';
import type { ShareLinkServices } from '../links.ts';
import {
  hasShareAccess,
  isShareUnlocked,
  isViewLimitReached,
  readShareOpening,
  type ShareLink,
} from '../open.ts';
import { shareUrl } from '../present.ts';
import {
  UnlockShareRequest as PasswordForm,
  SharePageQuery,
  ShareTokenParams,
  ShareUnlockedRedirect,
} from '../schema.ts';
import { renderSharedAlbumPage } from './album.ts';
import { renderConfirmViewPage, renderShareMessagePage, renderSharePasswordPage } from './message-pages.ts';
import type { SharePage, SharePageFrame } from './page.ts';
import { renderSharedPhotoPage } from './photo.ts';

const tags = ['Shares'];

export async function sharePageRoutes(
  app: App,
  deps: Deps,
  { findLink, openLink, unlock, readSharedAlbum }: ShareLinkServices,
): Promise<void> {
  const { imageOrigin } = deps.storage;

  await app.register(async (scope: App) => {
    acceptPasswordForms(scope);
    const createFrame = async (request: FastifyRequest): Promise<SharePageFrame> => ({
      language: languageOf(request),
      theme: chosenTheme(request),
      site: await readSiteSettings(deps.config, deps.db.kysely).catch(() => standardLook(deps.config)),
    });
    scope.setErrorHandler(errorPages(createFrame));
    scope.addHook('onRequest', async (request) => {
      if (hasEmptyPathParameter(request)) throw errors.shareNotFound();
    });

    scope.get(
      '/s/:token',
      {
        config: { openToVisitors: true, produces: ['text/html'], refusesByPage: true },
        schema: {
          operationId: 'getSharePage',
          tags,
          summary: "Open a share's page",
          description:
            'Shows the photo or the album, or a form for the password. Counts one view of the share, except for ' +
            'programs that preview links.',
          params: ShareTokenParams,
          querystring: SharePageQuery,
          response: errorResponseSchemas('invalid', 'shareNotFound'),
        },
      },
      async (request, reply) => {
        const link = await findLink(request.params.token);
        const frame = await createFrame(request);
        const held = readAccessCookie(request);
        const isOpen = link.share.max_views === null ? isShareUnlocked : hasShareAccess;
        if (!isOpen(deps, link, held)) return sendPage(reply, frame, unopenedPage(frame, link));
        await openLink(link, held, readShareOpening(request, request.query.album_id));
        const baseUrl = await findOwnBaseUrl(deps, request);
        if ('album' in link) {
          const opened = await openAlbum(deps, link, request.query.album_id);
          const window = { page: request.query.page, limit: maxItemsPerPage };
          const shown = await readSharedAlbum(opened, window);
          const card =
            link.share.password_hash === '' ? await readAlbumCard(deps, opened, baseUrl) : undefined;
          const download = downloadPath(link, held, request.query.album_id);
          return sendPage(reply, frame, renderSharedAlbumPage(frame, { shown, download, card }), imageOrigin);
        }
        if (request.query.album_id !== undefined) throw errors.shareNotFound();
        const page = renderSharedPhotoPage(deps, frame, {
          link,
          baseUrl,
          download: downloadPath(link, held),
        });
        return sendPage(reply, frame, page, imageOrigin);
      },
    );

    scope.post(
      '/s/:token',
      {
        config: { openToVisitors: true, refusesByPage: true },
        schema: {
          operationId: 'unlockSharePage',
          tags,
          summary: "Submit a share page's password",
          description:
            'Sets a cookie for this page only, and redirects back to the page. At most 10 attempts a ' +
            'minute.',
          consumes: ['application/x-www-form-urlencoded'],
          params: ShareTokenParams,
          body: PasswordForm,
          response: {
            303: ShareUnlockedRedirect,
            ...errorResponseSchemas('invalid', 'sharePassword', 'shareNotFound', 'tooManyRequests'),
          },
        },
      },
      async (request, reply) => {
        const { token } = request.params;
        const access = await unlock(token, request.body.password, clientAddress(request));
        const url = shareUrl(getBaseUrl(request, deps.config), { token });
        // The redirect is relative, so that it also works behind a proxy that adds a prefix.
        return reply.header('Set-Cookie', accessCookie(access, url)).redirect(token, 303);
      },
    );
  });
}

async function readAlbumCard(deps: Deps, link: OpenedAlbum, baseUrl: string | undefined) {
  const picture = baseUrl === undefined ? undefined : await findSharedAlbumPicture(deps, link);
  return {
    url: baseUrl === undefined ? undefined : shareUrl(baseUrl, link.share),
    picture: createCardPicture(picture, baseUrl),
  };
}

/**
 * Returns the page of a link that is not open yet: the password form, or the button that uses a view. Throws
 * shareNotFound if no views are left.
 */
function unopenedPage(frame: SharePageFrame, { share }: ShareLink): SharePage {
  if (isViewLimitReached(share)) throw errors.shareNotFound();
  if (share.password_hash !== '') return renderSharePasswordPage(frame);
  return renderConfirmViewPage(frame, share.max_views! - share.views);
}

/**
 * Returns the path of the download with the access token, because browsers send the cookie only to the page. Returns
 * undefined if downloads are not allowed.
 */
function downloadPath(
  { share }: ShareLink,
  access: string | undefined,
  albumId?: number,
): string | undefined {
  if (share.allow_download === 0) return undefined;
  const query = new URLSearchParams({
    ...(access !== undefined && (share.password_hash !== '' || share.max_views !== null) && { access }),
    ...(albumId !== undefined && { album_id: String(albumId) }),
  });
  return `../api/shares/${share.token}/download${query.size > 0 ? `?${query}` : ''}`;
}

function sendPage(
  reply: FastifyReply,
  { language }: SharePageFrame,
  page: SharePage,
  imageOrigin?: string,
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'Content-Security-Policy': page.policy(imageOrigin),
      'Content-Language': language,
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
    })
    .send(page.text);
}

/** Returns the handler that shows every error as a page. */
function errorPages(createFrame: (request: FastifyRequest) => Promise<SharePageFrame>) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const known = logRequestError(error, request);
    reply.code(known.status);
    if (known.retryAfter !== undefined) reply.header('Retry-After', String(known.retryAfter));
    const isTry = request.method === 'POST' && (known.status === 403 || known.status === 429);
    const frame = await createFrame(request);
    return sendPage(
      reply,
      frame,
      isTry ? renderSharePasswordPage(frame, known) : renderShareMessagePage(frame, known),
    );
  };
}

/**
 * Returns the cookie that keeps a share page open. Scripts, other sites and other pages cannot read the cookie. `url`
 * is the full URL of the page, and its path becomes the path of the cookie. For https the cookie is Secure.
 */
function accessCookie(access: string, url: string): string {
  const { pathname, protocol } = new URL(url);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `access=${access}; Max-Age=${shareAccessLifetime}; Path=${pathname}; HttpOnly; SameSite=Strict${secure}`;
}

function readAccessCookie({ headers }: FastifyRequest): string | undefined {
  return /(?:^|;\s*)access=([\w.-]+)/.exec(headers.cookie ?? '')?.[1];
}

/** Maximum bytes of the form: 128 characters of four bytes, each byte encoded as `%XX`, and the name of the field. */
const maxBytes = 2048;

/** Lets the routes of this scope accept `password=…` as an HTML form sends it. */
function acceptPasswordForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    (request, body, done) => {
      if (isBodyCompressed(request)) return done(errors.wrongContentType());
      if (!isFormInUtf8(body as Buffer))
        return done(invalidFieldsError({ password: ['Must be text in UTF-8'] }));
      const passwords = new URLSearchParams(body.toString()).getAll('password');
      done(null, passwords.length === 1 ? { password: passwords[0] } : {});
    },
  );
}

/**
 * Returns true if the form is valid UTF-8. `URLSearchParams` replaces invalid bytes by U+FFFD, so that all broken
 * passwords would be equal.
 */
function isFormInUtf8(body: Buffer): boolean {
  try {
    decodeURIComponent(body.toString('latin1').replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return isUtf8(body);
  } catch {
    return false;
  }
}
